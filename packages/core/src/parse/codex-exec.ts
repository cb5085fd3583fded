import { present } from '../data/present.ts'
import type { RunError, UsageCounts } from '../event-fields.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { isJsonObject, isText, type JsonObject, parseJson } from '../json.ts'
import { createItemReader } from './codex-exec/items.ts'
import type { RawItem } from './codex-exec/tools.ts'
import { countsOf, usageEvents } from './kit/counts.ts'
import { metadata } from './kit/keep.ts'
import { bySigns, sign } from './kit/signs.ts'
import type { Out } from './kit/voice.ts'
import { dispatch, type Handlers, type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** The records of `codex exec --json`, as far as they are read. Older releases had other names for some of them. */
type RawEvent =
  | { readonly type: 'thread.started'; readonly thread_id?: string }
  | { readonly type: 'thread.resumed'; readonly thread_id?: string }
  | { readonly type: 'session.created'; readonly session_id?: string }
  | { readonly type: 'turn.started'; readonly turn_id?: string }
  | { readonly type: 'turn.completed'; readonly usage?: object | null }
  | { readonly type: 'turn.failed'; readonly error?: RawError | string | null }
  | ({ readonly type: 'item.created' } & Carrier)
  | ({ readonly type: 'item.started' } & Carrier)
  | ({ readonly type: 'item.updated' } & Carrier)
  | ({ readonly type: 'item.completed' } & Carrier)
  | ({ readonly type: 'item.failed' } & Carrier)
  | { readonly type: 'item.delta'; readonly item_id: string; readonly item_type?: string; readonly delta: TextDelta }
  | { readonly type: 'item.plan.delta'; readonly item_id: string; readonly delta: string }
  | { readonly type: 'request_user_input'; readonly call_id: string; readonly questions: readonly Question[] }
  | { readonly type: 'error'; readonly message?: string | null; readonly error?: RawError | null }

type RawError = { readonly message?: string | null }
type TextDelta = string | { readonly text_delta?: string; readonly text?: string }
type Question = { readonly question?: string }

/** An item is in `item`. In some older releases its fields are beside the type. */
interface Carrier {
  readonly item?: RawItem
  readonly item_id?: string
  readonly item_type?: string
  readonly status?: string
  readonly content?: JsonObject | string
}

const isItem = (value: unknown) => isJsonObject(value) && isText(value.type ?? value.item_type)
const item = sign(1, (value) => isItem(value.item) || (isText(value.item_id) && isText(value.item_type)))

const recognizeRecord = bySigns(
  {
    'thread.started': sign(1, ({ thread_id }) => isText(thread_id)),
    'thread.resumed': sign(0.9, ({ thread_id }) => isText(thread_id)),
    'session.created': sign(0.6, ({ session_id }) => isText(session_id)),
    'turn.started': sign(0.9),
    'turn.completed': sign(0.9),
    'turn.failed': sign(0.9),
    'item.created': item,
    'item.started': item,
    'item.updated': item,
    'item.completed': item,
    'item.failed': item,
    'item.delta': item,
    'item.plan.delta': sign(1, ({ item_id }) => isText(item_id)),
    request_user_input: sign(0.8, ({ questions }) => Array.isArray(questions)),
    error: sign(0.3, ({ message }) => isText(message)),
  },
  (type) => `a record is Codex's ${type}`,
  ({ type, data }) => (isJsonObject(data) ? undefined : type),
)

/** The JSON lines of `codex exec --json`: threads, their turns, and the items of the turns. */
export const codexExec: Parser = {
  version: 5,
  losses: {
    'other-roles': 'The prompt is not printed.',
    retract: 'An item cannot be taken back.',
    signature: 'Reasoning comes as summaries.',
    encrypted: 'Reasoning comes as summaries.',
    citations: 'Text carries no citations.',
    'tool-input-stream': 'Inputs arrive whole.',
    'tool-nesting': 'No call names another.',
    'subagent-content': 'Only the start and the end of a subagent are printed.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    data: 'Every item maps to another event.',
    control: 'Requests of a person are not printed.',
    times: 'No record carries a time.',
  },
  recognize: recognizeRecord,
  create,
}

/** The state of the turn, which decides the outcome of the run when the stream ends. */
type Turn = 'none' | 'open' | 'asking' | 'completed' | 'failed'

function create(): ParserState {
  const items = createItemReader()
  const usage = createThreadUsage()
  let hasThread = false
  let turnCount = 0
  let turn: Turn = 'none'
  let messageId: string | undefined
  let lastError: EventOf<'error'> | undefined

  function startThread({ type: _, ...fields }: { readonly type: string }, threadId: string | undefined) {
    items.startThread()
    usage.startThread(threadId)
    const events = metadata(fields)
    if (!hasThread) events.unshift({ type: 'run-start', agent: 'codex' })
    hasThread = true
    return events
  }

  function endTurn(state: Turn, reason: string): StreamEvent[] {
    turn = state
    const ended = messageId
    messageId = undefined
    if (ended === undefined) return []
    return [
      { type: 'step-end', reason },
      { type: 'message-end', messageId: ended },
    ]
  }

  function readItem(carrier: Carrier, isLast: boolean): readonly StreamEvent[] {
    const item = itemOf(carrier)
    if ((item.type ?? item.item_type) === 'error') return [{ type: 'error', ...errorOf(item.message) }]
    const out: Out = []
    return items.push(out, item, isLast) ? understood(out) : unmapped(carrier)
  }

  function readDelta(raw: object, id: string, type: string, text: string | undefined): readonly StreamEvent[] {
    const out: Out = []
    return items.pushDelta(out, id, type, text) ? understood(out) : unmapped(raw)
  }

  const handlers: Handlers<RawEvent> = {
    'thread.started': (raw) => startThread(raw, raw.thread_id),
    'thread.resumed': (raw) => startThread(raw, raw.thread_id),
    'session.created': (raw) => startThread(raw, raw.session_id),
    'turn.started'({ type: _, turn_id, ...fields }) {
      const ended = endTurn('open', 'interrupted')
      turnCount++
      messageId = turn_id ?? `turn-${turnCount}`
      lastError = undefined
      return [
        ...ended,
        { type: 'message-start', messageId, role: 'assistant' },
        { type: 'step-start', kind: 'model', number: turnCount },
        ...metadata(fields),
      ]
    },
    'turn.completed': ({ usage: total }) =>
      understood([...(total ? usage.event(total) : []), ...endTurn('completed', 'completed')]),
    'turn.failed'({ error }) {
      const message = typeof error === 'string' ? error : error?.message
      return [...endTurn('failed', 'failed'), { type: 'run-end', outcome: 'error', error: errorOf(message) }]
    },
    'item.created': (raw) => readItem(raw, /^(completed|failed)$/.test(itemOf(raw).status ?? '')),
    'item.started': (raw) => readItem(raw, false),
    'item.updated': (raw) => readItem(raw, false),
    'item.completed': (raw) => readItem(raw, true),
    'item.failed': (raw) => readItem({ ...raw, item: { ...itemOf(raw), status: 'failed' } }, true),
    'item.delta'(raw) {
      const { delta, item_id, item_type } = raw
      const text = typeof delta === 'string' ? delta : (delta.text_delta ?? delta.text)
      return readDelta(raw, item_id, item_type ?? 'agent_message', text)
    },
    'item.plan.delta': (raw) => readDelta(raw, raw.item_id, 'plan', raw.delta),
    request_user_input({ call_id, questions }) {
      const message = questions.find(({ question }) => question)?.question
      const request = { questions } as unknown as JsonObject
      turn = 'asking'
      return [{ type: 'approval', approvalId: call_id, state: 'requested', request, ...present({ message }) }]
    },
    error(raw) {
      const message = raw.message ?? raw.error?.message
      if (typeof message !== 'string') return unmapped(raw)
      if (isRetry(message)) return [{ type: 'status', message, level: 'warn' }]
      lastError = { type: 'error', ...errorOf(message) }
      return [lastError]
    },
  }

  return {
    push: dispatch(handlers),
    end() {
      if (turn === 'failed') return []
      if (turn === 'completed') return [{ type: 'run-end', outcome: 'success' }]
      if (turn === 'asking') return [{ type: 'run-end', outcome: 'awaiting-input' }]
      if (lastError === undefined) return []
      const { type: _, ...error } = lastError
      return [{ type: 'run-end', outcome: 'error', error }]
    },
  }
}

function itemOf({ item, item_id, item_type, status, content }: Carrier): RawItem {
  if (item !== undefined) return item
  const fields = typeof content === 'string' ? { text: content } : content
  return { ...fields, id: item_id as string, type: item_type as string, ...present({ status }) }
}

/** `input_tokens` includes cached tokens. */
const SPELLINGS = {
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  reasoningTokens: ['reasoning_output_tokens'],
  cacheReadTokens: ['cached_input_tokens'],
  cacheWriteTokens: ['cache_write_input_tokens'],
}

/** Turns report the total usage of their thread. The usage of one turn is the difference. */
function createThreadUsage() {
  let lastTotal: UsageCounts = {}
  let thread: string | undefined
  return {
    event(raw: object): StreamEvent[] {
      const total = Object.entries(countsOf(raw, SPELLINGS)) as [keyof UsageCounts, number][]
      // Counts that fall belong to different threads, even if the thread id is the same.
      const isSameThread = total.every(([count, value]) => value >= (lastTotal[count] ?? 0))
      const base = isSameThread ? lastTotal : {}
      const counts = Object.fromEntries(total.map(([count, value]) => [count, value - (base[count] ?? 0)]))
      lastTotal = { ...base, ...Object.fromEntries(total) }
      return usageEvents(counts, { scope: 'step' })
    },
    /** Another thread counts from zero. */
    startThread(threadId: string | undefined): void {
      if (threadId !== thread) lastTotal = {}
      thread = threadId
    },
  }
}

/** The error of a failure. If the text is the provider's response as JSON, its message is taken. */
function errorOf(text: string | null | undefined): RunError {
  const message = text || 'The turn failed'
  if (!message.startsWith('{')) return { message }
  try {
    const { error } = parseJson(message) as { readonly error?: { readonly message?: string; readonly type?: string } }
    if (typeof error?.message !== 'string' || error.message === '') return { message }
    return { message: error.message, ...present({ code: typeof error.type === 'string' ? error.type : undefined }) }
  } catch {
    return { message }
  }
}

/** Whether an error message reports a retry. Codex uses the same record for retries and failures. */
function isRetry(message: string): boolean {
  return /^(re-?connecting|stream (error|disconnected).*retrying)/i.test(message)
}
