import { forgetOldest } from '../../data/remember.ts'

/** A text or thought that was drawn: a snapshot may repeat it or add to it. */
export interface SeenText {
  readonly kind: 'text' | 'reasoning'
  readonly role: string
  readonly blockId: string
  /** Undefined once the limit of remembered text is exceeded. */
  text: string | undefined
}

export interface SeenCall {
  readonly callId: string
  readonly name: string
  readonly agentId: string | undefined
  args: string
  /** The input of a call that is sent again. */
  repeated?: string | undefined
  /** Until the input has ended: the value that a provider requires back with the call. */
  encrypted?: string
  isInputDone: boolean
  hasOutput: boolean
}

/** The maximum numbers of remembered messages, calls and characters: memory must stay bounded on an endless stream. */
const MAX_DRAWN = 4096
const MAX_TEXT = 8 * 1024 * 1024
const MAX_ARGS = 64 * 1024

/** The content that the stream has drawn so far, by the protocol's ids. */
export interface Seen {
  readonly texts: ReadonlyMap<string, SeenText>
  readonly calls: ReadonlyMap<string, SeenCall>
  /** Whether the agent has drawn anything: messages of an earlier snapshot are history. */
  hasContent: boolean
  addText(id: string, text: SeenText): SeenText
  addCall(call: SeenCall): SeenCall
  grow(seen: SeenText, delta: string): void
  /** Adds to the input of a call, or to that of its repetition. */
  growArgs(seen: SeenCall, delta: string): void
}

export function createSeen(): Seen {
  const texts = new Map<string, SeenText>()
  const calls = new Map<string, SeenCall>()
  let size = 0

  /** An entry that is drawn again keeps its position. */
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
      const field = seen.repeated === undefined ? 'args' : 'repeated'
      const args = seen[field] ?? ''
      if (args.length < MAX_ARGS) seen[field] = args + delta
    },
  }
}

/** The input of a call without differences in layout. */
export function canonicalArgs(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args))
  } catch {
    return args.trim()
  }
}
