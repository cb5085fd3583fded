import { present } from '../../data/present.ts'
import { isStreamEvent } from '../../event-shape.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, parseJson } from '../../json.ts'
import type { Calls } from './calls.ts'
import type { Additive, AnyRaw, RawByType, RawProgress, Result } from './raw.ts'

/** The content of a chunk, with what its key `millrace` adds. */
export interface AdditiveReading {
  /** Events that the protocol cannot express, which precede the chunk's own. */
  readonly before: readonly StreamEvent[]
  /** The chunk itself, or the chunk of a subagent in the progress of a call. */
  readonly raw: AnyRaw
  /** The events of the chunk if its fields alone do not determine them. */
  readonly replacement: readonly StreamEvent[] | undefined
}

/** Reads streams that Millrace wrote: the key `millrace` holds what the protocol cannot express. */
export interface AdditiveReader {
  /** Throws if the value of the key is not valid. */
  read(raw: AnyRaw): AdditiveReading
}

type Readers = {
  readonly [Type in keyof RawByType]?: (raw: RawByType[Type], marks: Additive) => StreamEvent[] | undefined
}

const NO_MARKS: Additive = {}
const NONE: readonly StreamEvent[] = []

export function createAdditiveReader(calls: Calls): AdditiveReader {
  /** The block of a chunk that names none. */
  let current: string | undefined

  function trackEvents(events: readonly StreamEvent[]): void {
    for (const event of events) {
      const isText = event.type === 'block-start' && event.kind === 'text'
      if (event.type === 'tool-start') calls.announce(event)
      if (isText && event.agentId === undefined) current = event.blockId
    }
  }

  function delta(blockId: string | undefined, text: string): StreamEvent[] | undefined {
    if (blockId === undefined) return undefined
    if (typeof text !== 'string') throw new TypeError('The content is not a string.')
    return [{ type: 'block-delta', blockId, text }]
  }

  const readers: Readers = {
    stream({ content }, { blockId = current, agentId }) {
      const events = delta(blockId, content)
      if (agentId === undefined) current = blockId
      return events
    },
    thought: ({ content }, { blockId }) => delta(blockId, content),
    tool_result: (raw, marks) => calls.result({ ...raw, output: outputOf(raw, marks) }, marks),
    final: (_raw, marks) => endOf(marks),
    error: (_raw, marks) => endOf(marks),
  }
  const table = new Map(Object.entries(readers)) as Map<
    string,
    (raw: AnyRaw, marks: Additive) => StreamEvent[] | undefined
  >

  return {
    read(raw) {
      const marks = raw.millrace ?? NO_MARKS
      const before = eventsOf(marks.before ?? NONE)
      const instead = marks.instead === undefined ? undefined : eventsOf(marks.instead)
      const content = marks.agentId === undefined ? raw : unwrapSubagent(raw)
      trackEvents(before)
      return { before, raw: content, replacement: instead ?? table.get(content.type)?.(content, marks) }
    },
  }
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
function unwrapSubagent(raw: AnyRaw): AnyRaw {
  const { data } = raw as AnyRaw & RawProgress
  const inner = typeof data === 'string' ? { subtype: 'stream', content: data } : data
  if (!isJsonObject(inner)) throw new TypeError('The progress holds no chunk of a subagent.')
  const { subtype, ...fields } = inner
  return { ...fields, type: subtype as AnyRaw['type'] }
}

function outputOf({ output }: Result, marks: Additive): Json | undefined {
  if (marks.output !== undefined) return marks.output
  return marks.json === true && typeof output === 'string' ? (parseJson(output) as Json) : output
}

function endOf({ outcome, reason, error, result }: Additive): StreamEvent[] | undefined {
  if (outcome === undefined) return undefined
  const end = { type: 'run-end', outcome, ...present({ reason, error }) } as EventOf<'run-end'>
  return [result === undefined ? end : { ...end, result }]
}

function eventsOf(value: unknown): readonly StreamEvent[] {
  if (Array.isArray(value) && value.every(isStreamEvent)) return value
  throw new TypeError('The value is not a list of events.')
}
