import { present } from '../data/present.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { createAdditiveReader, withScope } from './agent-event/additive.ts'
import { createCalls } from './agent-event/calls.ts'
import { type AnyRaw, type RawByType, type RawType, sentenceOf } from './agent-event/raw.ts'
import { recognize } from './agent-event/recognize.ts'
import { type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/**
 * A stream of AgentEvents: seven types without ids, and the fields that later servers add. A stream that Millrace wrote
 * holds everything else under `millrace`; the losses are those of all other streams.
 */
export const agentEvent: Parser = {
  version: 3,
  losses: {
    messages: 'No message has bounds.',
    'other-roles': 'Every event is of the agent.',
    retract: 'A message that was sent cannot be retracted.',
    steps: 'Steps are not marked.',
    signature: 'A thought is plain text.',
    encrypted: 'A thought is plain text.',
    citations: 'Text is plain.',
    rewrite: 'Text only grows.',
    'tool-input-stream': 'Arguments arrive whole.',
    approvals: 'No approval is requested before a call.',
    sources: 'Sources are only text in the result of a tool.',
    files: 'Results are text.',
    subagents: 'A subagent is called like any tool.',
    'subagent-content': 'The content of a subagent is the progress of its call.',
    status: 'Only tools report progress.',
    usage: 'Tokens are not counted.',
    cost: 'Tokens are not counted.',
    state: 'There is no shared state.',
    data: 'Data belongs to the progress of a tool.',
    control: 'Requests of the user are not passed on.',
    'provider-meta': 'No provider is named.',
  },
  recognize,
  create,
}

type Handlers = { readonly [Type in RawType]: (raw: RawByType[Type]) => readonly StreamEvent[] }

function create(): ParserState {
  const calls = createCalls()
  const additive = createAdditiveReader(calls)
  let blocks = 0
  let openText: string | undefined
  let lastSeq = Number.NEGATIVE_INFINITY
  let runId: string | undefined
  /** How the run has ended. It is emitted at the end of the stream: another run may follow. */
  let ending: EventOf<'run-end'> | undefined

  /** Called before other content: it ends the open text. */
  function endText(): EventOf<'block-end'>[] {
    if (openText === undefined) return []
    const blockId = openText
    openText = undefined
    return [{ type: 'block-end', blockId }]
  }

  function text({ content }: RawByType['stream']): readonly StreamEvent[] {
    if (typeof content !== 'string') throw new TypeError('The content is not a string.')
    if (content === '') return SILENT
    if (openText !== undefined) return [{ type: 'block-delta', blockId: openText, text: content }]
    openText = `b${++blocks}`
    return [
      { type: 'block-start', blockId: openText, kind: 'text' },
      { type: 'block-delta', blockId: openText, text: content },
    ]
  }

  /** A run may follow one that has ended. It continues nothing of that one, and what the end said is kept. */
  function startAfter({ error, reason, result }: EventOf<'run-end'>): StreamEvent[] {
    const events: StreamEvent[] = endText().map((end) => ({ ...end, interrupted: true }))
    const metadata = present({ reason, result })
    if (error !== undefined) events.push({ type: 'error', ...error })
    if (Object.keys(metadata).length > 0) events.push({ type: 'metadata', metadata })
    calls.clear()
    return events
  }

  function failed({ error }: RawByType['error']): StreamEvent[] {
    const code = typeof error === 'object' ? error?.code : undefined
    const message = sentenceOf(error)
    const isReadable = message !== undefined || (error ?? '') === ''
    return [
      ...(isReadable ? [] : unmapped(error)),
      { type: 'run-end', outcome: 'error', error: { message: message ?? 'An error occurred', ...present({ code }) } },
    ]
  }

  const handlers: Handlers = {
    thought({ content }) {
      if (typeof content !== 'string') throw new TypeError('The content is not a string.')
      if (content === '') return SILENT
      const before = endText()
      const blockId = `b${++blocks}`
      return [
        ...before,
        { type: 'block-start', blockId, kind: 'reasoning', variant: 'thinking' },
        { type: 'block-delta', blockId, text: content },
        { type: 'block-end', blockId },
      ]
    },
    tool_call(raw) {
      const events = calls.call(raw)
      return [...endText(), ...events]
    },
    tool_progress: calls.addProgress,
    tool_result: calls.result,
    stream: text,
    // A server may also send it after an error.
    final: () => [...endText(), ending ?? { type: 'run-end', outcome: 'success' }],
    error: failed,
    progress: calls.addProgress,
    result: calls.result,
    tool_error: (raw) => calls.result({ ...raw, isError: true }),
    text_chunk: text,
    start: () => [{ type: 'run-start' }],
    cancelled: ({ reason }) => [{ type: 'run-end', outcome: 'cancelled', ...present({ reason }) }],
    session_error: failed,
    heartbeat: () => SILENT,
    connected: () => SILENT,
  }

  /** Adds the time of the record, and its run id if it is new. */
  function withTimeAndRun(raw: AnyRaw, events: readonly StreamEvent[]): readonly StreamEvent[] {
    const sentAt = timeOf(raw.at)
    const { runId: ownId = runId } = raw
    const isNew = ownId !== undefined && ownId !== runId && raw.millrace === undefined
    const all: readonly StreamEvent[] = isNew ? [...events, { type: 'metadata', metadata: { runId: ownId } }] : events
    if (typeof raw.seq === 'number') lastSeq = raw.seq
    else if (ownId !== runId) lastSeq = Number.NEGATIVE_INFINITY
    runId = ownId
    return sentAt === undefined ? all : all.map((event) => ({ sentAt, ...event }))
  }

  /** Keeps the end of the run until the stream ends. */
  function withoutEnd(events: readonly StreamEvent[]): readonly StreamEvent[] {
    const end = events.find((event) => event.type === 'run-end')
    if (end === undefined) return events
    ending = end
    return events.filter((event) => event !== end)
  }

  return {
    push(value) {
      const raw = value as AnyRaw
      if (!Object.hasOwn(handlers, raw.type)) return unmapped(value)
      const isOther = raw.runId !== undefined && raw.runId !== runId
      // After a reconnect a server sends earlier records again.
      if (typeof raw.seq === 'number' && raw.seq <= lastSeq && !isOther) return SILENT
      const { before, raw: content, replacement } = additive.read(raw)
      if (!Object.hasOwn(handlers, content.type)) return unmapped(value)
      const isNext = isOther || raw.type === 'start'
      const restart = isNext && ending !== undefined ? startAfter(ending) : []
      const handle = handlers[content.type] as (raw: AnyRaw) => readonly StreamEvent[]
      const events = withScope(replacement ?? handle(content), raw.millrace)
      if (isNext) ending = undefined
      return understood(withoutEnd([...restart, ...before, ...withTimeAndRun(raw, events)]))
    },
    end: () => (ending === undefined ? [] : [ending]),
  }
}

/** The zone of a time. A time without a zone is ignored: it would depend on the zone of the reading machine. */
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i

function timeOf(at: AnyRaw['at']): number | undefined {
  const time = typeof at === 'string' ? Date.parse(ZONE.test(at) ? at : '') : at
  return typeof time !== 'number' || Number.isNaN(time) ? undefined : time
}
