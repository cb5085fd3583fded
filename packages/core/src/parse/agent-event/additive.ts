import { present } from '../../data/present.ts'
import type { Meta, RunError, ToolStatus } from '../../event-fields.ts'
import { isStreamEvent } from '../../event-shape.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, parseJson } from '../../json.ts'
import type { Out } from '../kit/voice.ts'
import { type Calls, type RawEvent, textOf } from './calls.ts'

/** What a stream that Millrace wrote holds beside the fields of the protocol. */
export interface Additive {
  /** Events that the protocol cannot express, in order, which precede the chunk's own. */
  readonly before?: readonly StreamEvent[]
  /** The events of the chunk, if its own fields are only what a client can show of them. */
  readonly instead?: readonly StreamEvent[]
  readonly blockId?: string
  /** The subagent whose chunk the progress of a call holds. */
  readonly agentId?: string
  readonly messageId?: string
  readonly meta?: Meta
  /** The output is the JSON of a value. */
  readonly json?: boolean
  /** The output itself, if the chunk's own output is only the reason of a failure. */
  readonly output?: Json
  readonly status?: ToolStatus
  readonly error?: string | RunError
  readonly outcome?: EventOf<'run-end'>['outcome']
  readonly reason?: string
  readonly result?: Json
}

/** The content of a chunk, with what its key `millrace` adds. */
export interface AdditiveReading {
  /** Events that the protocol cannot express, which precede the chunk's own. */
  readonly before: readonly StreamEvent[]
  /** The chunk itself, or the chunk of a subagent in the progress of a call. */
  readonly raw: RawEvent
  /** The events of the chunk if its fields alone do not determine them. */
  readonly replacement: readonly StreamEvent[] | undefined
}

type Reader = (raw: RawEvent, marks: Additive) => readonly StreamEvent[] | undefined

const NO_MARKS: Additive = {}
const NONE: readonly StreamEvent[] = []

/**
 * Reads streams that Millrace wrote: the key `millrace` holds what the protocol cannot express. Throws if its value is
 * not valid.
 */
export function createAdditiveReader(calls: Calls): (raw: RawEvent) => AdditiveReading {
  /** The block of a chunk that names none. */
  let current: string | undefined

  function trackEvents(events: readonly StreamEvent[]): void {
    for (const event of events) {
      const isText = event.type === 'block-start' && event.kind === 'text'
      if (event.type === 'tool-start') calls.announce(event)
      if (isText && event.agentId === undefined) current = event.blockId
    }
  }

  const end: Reader = (_raw, marks) => endOf(marks)
  const readers: { readonly [type: string]: Reader } = {
    stream({ content }, { blockId = current, agentId }) {
      const events = deltaOf(blockId, content)
      if (agentId === undefined) current = blockId
      return events
    },
    thought: ({ content }, { blockId }) => deltaOf(blockId, content),
    tool_result(raw, marks) {
      const out: Out = []
      calls.pushResult(out, { ...raw, output: outputOf(raw, marks) }, marks)
      return out
    },
    final: end,
    error: end,
  }

  return (raw) => {
    const marks = raw.millrace ?? NO_MARKS
    const before = eventsOf(marks.before ?? NONE)
    const instead = marks.instead === undefined ? undefined : eventsOf(marks.instead)
    if (instead?.length === 0 && !isHidden(raw)) throw new TypeError('The chunk has content, but no events.')
    const content = marks.agentId === undefined ? raw : unwrapSubagent(raw)
    const reader = Object.hasOwn(readers, content.type) ? readers[content.type] : undefined
    trackEvents(before)
    return { before, raw: content, replacement: instead ?? reader?.(content, marks) }
  }
}

/** Whether a chunk may stand for no event: the call, or its result, that Millrace adds to show a subagent. */
function isHidden({ type, output }: RawEvent): boolean {
  return type === 'tool_call' || output === ''
}

function deltaOf(blockId: string | undefined, content: string | undefined): StreamEvent[] | undefined {
  return blockId === undefined ? undefined : [{ type: 'block-delta', blockId, text: textOf(content) }]
}

/** Adds the agent to every event, and the message and metadata to the last one. */
export function withScope(events: readonly StreamEvent[], marks: Additive | undefined): readonly StreamEvent[] {
  if (marks === undefined) return events
  const { agentId, messageId, meta } = marks
  const last = events.length - 1
  return events.map((event, index) => ({
    ...event,
    ...present(index === last ? { agentId, messageId, meta } : { agentId }),
  }))
}

/** The chunk of a subagent in the progress of a call: text is the data itself, other data has its type in `subtype`. */
function unwrapSubagent(raw: RawEvent): RawEvent {
  const { data } = raw
  const inner = typeof data === 'string' ? { subtype: 'stream', content: data } : data
  if (!isJsonObject(inner)) throw new TypeError('The progress holds no chunk of a subagent.')
  const { subtype, ...fields } = inner
  return { ...fields, type: subtype as string }
}

function outputOf({ output }: RawEvent, marks: Additive): Json | undefined {
  if (marks.output !== undefined) return marks.output
  return marks.json === true && typeof output === 'string' ? (parseJson(output) as Json) : output
}

/** Checked at once: the end is held back, and what cannot be read must be kept with its record. */
function endOf({ outcome, reason, error, result }: Additive): readonly StreamEvent[] | undefined {
  if (outcome === undefined) return undefined
  const end = { type: 'run-end', outcome, ...present({ reason, error }) } as EventOf<'run-end'>
  return eventsOf([result === undefined ? end : { ...end, result }])
}

function eventsOf(value: unknown): readonly StreamEvent[] {
  if (Array.isArray(value) && value.every(isStreamEvent)) return value
  throw new TypeError('The value is not a list of events.')
}
