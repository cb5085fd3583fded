import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
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
  version: 2,
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
    errors: 'Every error ends the stream.',
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
  let ending: 'none' | 'final' | 'over' = 'none'

  /** Called before other content: it ends the open text. */
  function endText(): StreamEvent[] {
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

  function failed({ error }: RawByType['error']): StreamEvent[] {
    ending = 'over'
    const code = typeof error === 'object' ? error?.code : undefined
    const message = sentenceOf(error) ?? 'An error occurred'
    return [{ type: 'run-end', outcome: 'error', error: { message, ...present({ code }) } }]
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
    final() {
      ending = 'final'
      return understood(endText())
    },
    error: failed,
    progress: calls.addProgress,
    result: calls.result,
    tool_error: (raw) => calls.result({ ...raw, isError: true }),
    text_chunk: text,
    start: () => [{ type: 'run-start' }],
    cancelled({ reason }) {
      ending = 'over'
      return [{ type: 'run-end', outcome: 'cancelled', ...present({ reason }) }]
    },
    session_error: failed,
    heartbeat: () => SILENT,
    connected: () => SILENT,
  }

  /** Adds the time of the record, and its run id if it is new. */
  function withTimeAndRun(raw: AnyRaw, events: readonly StreamEvent[]): readonly StreamEvent[] {
    if (typeof raw.seq === 'number') lastSeq = raw.seq
    const sentAt = timeOf(raw.at)
    const isNewRun = raw.runId !== undefined && raw.runId !== runId && raw.millrace === undefined
    runId = raw.runId ?? runId
    const runMetadata: StreamEvent[] = isNewRun ? [{ type: 'metadata', metadata: { runId: raw.runId ?? '' } }] : []
    const all = runMetadata.length === 0 ? events : [...events, ...runMetadata]
    return sentAt === undefined ? all : all.map((event) => ({ sentAt, ...event }))
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
      const handle = handlers[content.type] as (raw: AnyRaw) => readonly StreamEvent[]
      const events = replacement === undefined ? handle(content) : understood(replacement)
      const scopedEvents = withTimeAndRun(raw, withScope(events, raw.millrace))
      if (scopedEvents.length === 0 && before.length === 0) return events
      return before.length === 0 ? scopedEvents : [...before, ...scopedEvents]
    },
    end: () => (ending === 'final' ? [{ type: 'run-end', outcome: 'success' }] : []),
  }
}

/** The zone of a time. A time without a zone is ignored: it would depend on the zone of the reading machine. */
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i

function timeOf(at: AnyRaw['at']): number | undefined {
  const time = typeof at === 'string' ? Date.parse(ZONE.test(at) ? at : '') : at
  return typeof time !== 'number' || Number.isNaN(time) ? undefined : time
}
