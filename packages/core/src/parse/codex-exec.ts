import { present } from '../data/present.ts'
import { rememberOne } from '../data/remember.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { isJsonObject, isText, type JsonObject } from '../json.ts'
import {
  agentEndings,
  type Call,
  type Carrier,
  callRows,
  createTurnUsage,
  errorOf,
  isRetry,
  itemOf,
  outputEvent,
  type Prose,
  proseOf,
  type RawEvent,
  type RawItem,
  todosEvent,
} from './codex-exec/items.ts'
import { objectIn, textIn } from './kit/fields.ts'
import { createItems } from './kit/items.ts'
import { metadata } from './kit/keep.ts'
import { bySigns, sign } from './kit/signs.ts'
import type { Out } from './kit/voice.ts'
import { dispatch, type Handlers, type Parser, type ParserState, understood, unmapped } from './parser.ts'

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

function create(): ParserState {
  const items = createItems()
  const turnUsage = createTurnUsage()
  /** Thread ids of the subagents that run. */
  const agents = new Set<string>()
  /** By type, the open item without an id. */
  const unnamed = new Map<string, string>()
  let unnamedCount = 0
  let lastTodos = ''
  let hasThread = false
  let turnCount = 0
  let messageId: string | undefined
  /** The end of the run, as the last turn or an error since implies it. */
  let runEnd: EventOf<'run-end'> | undefined

  /** Items of another thread have the same ids. */
  function startThread({ type: _, ...fields }: { readonly type: string }, threadId: string | undefined): Out {
    items.clear()
    turnUsage.startThread(threadId)
    const events = metadata(fields)
    if (!hasThread) events.unshift({ type: 'run-start', agent: 'codex' })
    hasThread = true
    return events
  }

  function endTurn(reason: string, outcome: typeof runEnd): Out {
    const out: Out = []
    if (messageId !== undefined) out.push({ type: 'step-end', reason }, { type: 'message-end', messageId })
    messageId = undefined
    runEnd = outcome
    return out
  }

  /** An item without an id continues the open item of its type. */
  function unnamedId(type: string, isLast: boolean): string {
    const id = unnamed.get(type) ?? `unnamed-${++unnamedCount}`
    if (isLast) unnamed.delete(type)
    else unnamed.set(type, id)
    return id
  }

  /** Every record of an item holds the whole item in its current state. */
  function readItem(carrier: Carrier, isLast: boolean): readonly StreamEvent[] {
    const raw = itemOf(carrier)
    const type = raw.type ?? raw.item_type ?? ''
    if (type === 'error') return [{ type: 'error', ...errorOf(raw.message as string | undefined) }]
    const prose = proseOf(type, raw.phase)
    const callRow = callRows.get(type)
    if (prose === undefined && callRow === undefined && type !== 'todo_list') return unmapped(carrier)
    const read = isText(raw.id) ? raw : { ...raw, id: unnamedId(type, isLast) }
    const out: Out = []
    if (prose !== undefined) addProse(out, read, prose, isLast)
    else if (callRow !== undefined) addCall(out, read, callRow(read, isLast), isLast)
    else addTodos(out, read)
    return understood(out)
  }

  function addProse(out: Out, { id: blockId, text: ownText, content }: RawItem, prose: Prose, isLast: boolean): void {
    const text = ownText ?? content ?? ''
    if (!isText(text)) throw new TypeError('The text of an item is not a string.')
    if (items.isNew(blockId, 'start')) out.push({ type: 'block-start', blockId, ...prose })
    // A record without text only reports the state of the item.
    if (text !== '') out.push({ type: 'block-patch', blockId, text })
    if (!isLast) return
    items.end(blockId)
    out.push({ type: 'block-end', blockId })
  }

  function addCall(out: Out, read: RawItem, call: Call, isLast: boolean): void {
    const { id: callId } = read
    const { start, input, extraEvents = [] } = call
    const text = isLast ? '' : items.growth(callId, (read.aggregated_output ?? '') as string)
    if (items.isNew(callId, 'start')) out.push({ type: 'tool-start', callId, ...start })
    // Before the input: what the stream says of an agent takes precedence over what its call implies.
    if (read.tool === 'spawn_agent') startAgents(out, read)
    if (input !== undefined && items.isNew(callId, 'input')) out.push({ type: 'tool-input', callId, input })
    if (text !== '') out.push({ type: 'tool-progress', callId, channel: 'stdout', text })
    if (isLast) {
      items.end(callId)
      out.push(outputEvent(read, call), ...extraEvents)
    }
    endAgents(out, read)
  }

  function startAgents(out: Out, { id: callId, receiver_thread_ids, prompt }: RawItem): void {
    for (const agentId of (receiver_thread_ids ?? []) as readonly string[]) {
      if (agents.has(agentId)) continue
      rememberOne(agents, agentId)
      out.push({ type: 'subagent-start', agentId, name: agentId, callId, ...present({ task: textIn(prompt) }) })
    }
  }

  function endAgents(out: Out, { agents_states }: RawItem): void {
    for (const [agentId, state] of Object.entries(objectIn(agents_states))) {
      const { status, message } = objectIn(state)
      const ending = agentEndings.get(status)
      if (ending === undefined || !agents.delete(agentId)) continue
      out.push({ type: 'subagent-end', agentId, status: ending, ...present({ summary: textIn(message) }) })
    }
  }

  /** A list that completes repeats its last state. */
  function addTodos(out: Out, list: RawItem): void {
    const todos = todosEvent(list)
    const todosText = JSON.stringify(todos)
    if (todosText !== lastTodos) out.push(todos)
    lastTodos = todosText
  }

  function readDelta(raw: object, blockId: string, type: string, text: unknown): readonly StreamEvent[] {
    const prose = proseOf(type)
    if (prose === undefined || !isText(text) || !isText(blockId)) return unmapped(raw)
    const out: Out = []
    if (items.isNew(blockId, 'start')) out.push({ type: 'block-start', blockId, ...prose })
    if (text !== '') out.push({ type: 'block-delta', blockId, text })
    return understood(out)
  }

  const handlers: Handlers<RawEvent> = {
    'thread.started': (raw) => startThread(raw, raw.thread_id),
    'thread.resumed': (raw) => startThread(raw, raw.thread_id),
    'session.created': (raw) => startThread(raw, raw.session_id),
    'turn.started'({ type: _, turn_id, ...fields }) {
      const out = endTurn('interrupted', undefined)
      turnCount++
      messageId = turn_id ?? `turn-${turnCount}`
      out.push({ type: 'message-start', messageId, role: 'assistant' })
      out.push({ type: 'step-start', kind: 'model', number: turnCount }, ...metadata(fields))
      return out
    },
    'turn.completed'({ usage }) {
      const counts = usage ? turnUsage.events(usage) : []
      return understood([...counts, ...endTurn('completed', { type: 'run-end', outcome: 'success' })])
    },
    'turn.failed'({ error }) {
      const message = typeof error === 'string' ? error : error?.message
      const failure: StreamEvent = { type: 'run-end', outcome: 'error', error: errorOf(message) }
      return [...endTurn('failed', failure), failure]
    },
    'item.created': (raw) => readItem(raw, /^(completed|failed)$/.test(itemOf(raw).status ?? '')),
    'item.started': (raw) => readItem(raw, false),
    'item.updated': (raw) => readItem(raw, false),
    'item.completed': (raw) => readItem(raw, true),
    'item.failed': (raw) => readItem({ ...raw, item: { ...itemOf(raw), status: 'failed' } }, true),
    'item.delta'(raw) {
      const { delta, item_id, item_type = 'agent_message' } = raw
      return readDelta(raw, item_id, item_type, isText(delta) ? delta : (delta.text_delta ?? delta.text))
    },
    'item.plan.delta': (raw) => readDelta(raw, raw.item_id, 'plan', raw.delta),
    request_user_input({ call_id, questions }) {
      const message = questions.find(({ question }) => question)?.question
      const request = { questions } as unknown as JsonObject
      runEnd = { type: 'run-end', outcome: 'awaiting-input' }
      return [{ type: 'approval', approvalId: call_id, state: 'requested', request, ...present({ message }) }]
    },
    error(raw) {
      const message = raw.message ?? raw.error?.message
      if (typeof message !== 'string') return unmapped(raw)
      if (isRetry(message)) return [{ type: 'status', message, level: 'warn' }]
      const error = errorOf(message)
      // A turn that has ended says itself how, and a question is still awaited.
      const isOpen = messageId !== undefined && runEnd?.outcome === 'error'
      if (isOpen || runEnd === undefined) runEnd = { type: 'run-end', outcome: 'error', error }
      return [{ type: 'error', ...error }]
    },
  }

  return {
    push: dispatch(handlers),
    end: () => (runEnd === undefined ? [] : [runEnd]),
  }
}
