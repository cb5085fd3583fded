import { present } from '../data/present.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { isJsonObject, isText, type JsonObject } from '../json.ts'
import { createAdditiveReader, withScope } from './agent-event/additive.ts'
import { createCalls, type RawEvent, sentenceOf, textOf } from './agent-event/calls.ts'
import { numberIn, sentAtOf } from './kit/fields.ts'
import { metadata } from './kit/keep.ts'
import { bySigns, sign } from './kit/signs.ts'
import { createVoice, type Out } from './kit/voice.ts'
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
  recognize(record) {
    const found = recognizeEvent(record)
    return found && isFromMillrace(record.value as JsonObject) ? { ...found, certainty: 1 } : found
  },
  create,
}

const EXTRA: ReadonlySet<string> = new Set(['type', 'callId', 'parentCallId', 'runId', 'seq', 'at', 'millrace'])

const hasTool = ({ toolName }: JsonObject) => isText(toolName)
/** Other formats have events of these names with more fields. */
const isBare = (fields: JsonObject, more?: string) =>
  Object.keys(fields).every((field) => EXTRA.has(field) || field === more)
const prose = sign(0.85, (fields) => isText(fields.content) && isBare(fields, 'content'))

const recognizeEvent = bySigns(
  {
    thought: prose,
    stream: prose,
    text_chunk: sign(0.7, ({ content }) => isText(content)),
    tool_call: sign(1, (fields) => hasTool(fields) && 'toolArgs' in fields),
    tool_progress: sign(1, (fields) => hasTool(fields) && 'data' in fields),
    tool_result: sign(1, hasTool),
    tool_error: sign(0.9, hasTool),
    progress: sign(0.9, hasTool),
    result: sign(0.9, hasTool),
    final: sign(0.6, (fields) => isBare(fields)),
    start: sign(0.3, (fields) => isBare(fields)),
    cancelled: sign(0.5, (fields) => isBare(fields, 'reason')),
    error: sign(0.45, (fields) => isText(fields.error) && isBare(fields, 'error')),
  },
  (type) => `a record is the AgentEvent ${type}`,
)

/** Whether Millrace wrote the record and added events to it, as it does to the first of a stream. */
function isFromMillrace({ seq, millrace }: Partial<JsonObject>): boolean {
  return typeof seq === 'number' && isJsonObject(millrace) && Array.isArray(millrace.before)
}

function create(): ParserState {
  const calls = createCalls()
  const readAdditive = createAdditiveReader(calls)
  const voice = createVoice((_kind, number) => `b${number}`)
  let lastSeq = Number.NEGATIVE_INFINITY
  let runId: string | undefined
  /** How the run has ended. It is emitted at the end of the stream: another run may follow. */
  let ending: EventOf<'run-end'> | undefined

  /** A run may follow one that has ended. It continues nothing of that one, and what the end said is kept. */
  function startAfter(out: Out, { error, reason, result }: EventOf<'run-end'>): void {
    voice.pause(out, { interrupted: true })
    if (error !== undefined) out.push({ type: 'error', ...error })
    out.push(...metadata({ reason, result }))
    calls.clear()
  }

  function pushText(out: Out, { content }: RawEvent): void {
    if (textOf(content) !== '') voice.say(out, { kind: 'text' }, textOf(content))
  }

  function pushFailure(out: Out, { error }: RawEvent): void {
    const code = typeof error === 'object' ? error?.code : undefined
    const message = sentenceOf(error)
    const isReadable = message !== undefined || (error ?? '') === ''
    if (!isReadable) out.push(...unmapped(error))
    const runError = { message: message ?? 'An error occurred', ...present({ code }) }
    out.push({ type: 'run-end', outcome: 'error', error: runError })
  }

  /** The seven types, the two of tools whose events an agent does not convert, and those that were added later. */
  const rows: { readonly [type: string]: (out: Out, raw: RawEvent) => void } = {
    thought(out, { content }) {
      if (textOf(content) !== '') voice.sayWhole(out, { kind: 'reasoning', variant: 'thinking' }, textOf(content))
    },
    tool_call(out, raw) {
      const call: Out = []
      calls.pushCall(call, raw)
      voice.pause(out)
      out.push(...call)
    },
    tool_progress: calls.pushProgress,
    tool_result: calls.pushResult,
    stream: pushText,
    final(out) {
      voice.pause(out)
      // A server may also send it after an error.
      out.push(ending ?? { type: 'run-end', outcome: 'success' })
    },
    error: pushFailure,
    progress: calls.pushProgress,
    result: calls.pushResult,
    tool_error: (out, raw) => calls.pushResult(out, { ...raw, isError: true }),
    text_chunk: pushText,
    start: (out) => void out.push({ type: 'run-start' }),
    cancelled: (out, { reason }) => void out.push({ type: 'run-end', outcome: 'cancelled', ...present({ reason }) }),
    session_error: pushFailure,
    heartbeat: () => {},
    connected: () => {},
  }

  /** Adds the time of the record, and its run id if it is new. */
  function withTimeAndRun(raw: RawEvent, events: readonly StreamEvent[]): readonly StreamEvent[] {
    const sentAt = numberIn(raw.at) ?? sentAtOf(raw.at).sentAt
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
      const raw = value as RawEvent
      if (!Object.hasOwn(rows, raw.type)) return unmapped(value)
      const isOther = raw.runId !== undefined && raw.runId !== runId
      // After a reconnect a server sends earlier records again.
      if (typeof raw.seq === 'number' && raw.seq <= lastSeq && !isOther) return SILENT
      const { before, raw: content, replacement } = readAdditive(raw)
      if (!Object.hasOwn(rows, content.type)) return unmapped(value)
      const isNext = isOther || raw.type === 'start'
      const out: Out = []
      if (isNext && ending !== undefined) startAfter(out, ending)
      out.push(...before)
      const own: Out = []
      if (replacement === undefined) rows[content.type]?.(own, content)
      const events = withScope(replacement ?? own, raw.millrace)
      if (isNext) ending = undefined
      out.push(...withTimeAndRun(raw, events))
      return understood(withoutEnd(out))
    },
    end: () => (ending === undefined ? [] : [ending]),
  }
}
