import { forgetOldest } from '../../data/remember.ts'

/** A text or thought that was drawn, so that a snapshot which repeats it can be told from one which adds to it. */
export interface SeenText {
  readonly kind: 'text' | 'reasoning'
  readonly role: string
  readonly blockId: string
  /** Undefined once there was too much of it to remember. */
  text: string | undefined
}

export interface SeenCall {
  readonly callId: string
  readonly name: string
  readonly agentId: string | undefined
  args: string
  /** The input of a call that is being said once more. */
  repeated: string | undefined
  isInputDone: boolean
  hasOutput: boolean
}

/** How many messages and how many calls are remembered, and how much text: an endless stream must not grow. */
const MAX_DRAWN = 4096
const MAX_TEXT = 8 * 1024 * 1024
const MAX_ARGS = 64 * 1024

/** What the stream has drawn so far, by the protocol's ids. */
export interface Seen {
  readonly texts: ReadonlyMap<string, SeenText>
  readonly calls: ReadonlyMap<string, SeenCall>
  /** Whether the agent has drawn anything: what a snapshot holds before that is history. */
  hasContent: boolean
  addText(id: string, text: SeenText): SeenText
  addCall(call: SeenCall): SeenCall
  grow(seen: SeenText, delta: string): void
  growArgs(seen: SeenCall, delta: string): void
  growRepeated(seen: SeenCall, delta: string): void
}

export function createSeen(): Seen {
  const texts = new Map<string, SeenText>()
  const calls = new Map<string, SeenCall>()
  let size = 0

  /** What is drawn again keeps its place. */
  function add<Value>(entries: Map<string, Value>, id: string, value: Value): Value {
    entries.set(id, value)
    forgetOldest(entries, MAX_DRAWN)
    return value
  }

  function forgetTexts(): void {
    size = 0
    for (const seen of texts.values()) seen.text = undefined
  }

  return {
    texts,
    calls,
    hasContent: false,
    addText: (id, text) => add(texts, `${text.kind} ${id}`, text),
    addCall: (call) => add(calls, call.callId, call),
    grow(seen, delta) {
      if (seen.text === undefined) return
      size += delta.length
      if (size > MAX_TEXT) forgetTexts()
      else seen.text += delta
    },
    growArgs(seen, delta) {
      if (seen.args.length < MAX_ARGS) seen.args += delta
    },
    growRepeated(seen, delta) {
      if (seen.repeated !== undefined && seen.repeated.length < MAX_ARGS) seen.repeated += delta
    },
  }
}

/** A call's input as one text for all ways to lay it out. */
export function canonicalArgs(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args))
  } catch {
    return args.trim()
  }
}
