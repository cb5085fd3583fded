import { present } from '../data/present.ts'
import type { RunError } from '../event-fields.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { parseJson } from '../json.ts'
import { createCollab } from './codex-exec/collab.ts'
import { createOpenItems } from './codex-exec/open-items.ts'
import { kindOf, proseDelta, proseEvents } from './codex-exec/prose.ts'
import type { Carrier, CollabItem, RawEvent, RawItem, TodoListItem } from './codex-exec/raw.ts'
import { recognize } from './codex-exec/recognize.ts'
import { todosEvent } from './codex-exec/todos.ts'
import { isTool, toolEvents } from './codex-exec/tools.ts'
import { createThreadUsage } from './codex-exec/usage.ts'
import { dispatch, type Handlers, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** The JSON lines of `codex exec --json`: threads, their turns, and the items of the turns. */
export const codexExec: Parser = {
  version: 4,
  losses: {
    'other-roles': 'The prompt is not printed.',
    retract: 'An item cannot be taken back.',
    signature: 'Reasoning comes as summaries.',
    encrypted: 'Reasoning comes as summaries.',
    citations: 'Text carries no citations.',
    'tool-input-stream': 'Inputs arrive whole.',
    'tool-nesting': 'No call names another.',
    files: 'Changed files are named; their content is not printed.',
    'subagent-content': 'Only the start and the end of a subagent are printed.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    data: 'Every item maps to another event.',
    control: 'Requests of a person are not printed.',
    times: 'No record carries a time.',
  },
  recognize,
  create,
}

/** The state of the turn, which decides the outcome of the run when the stream ends. */
type Turn = 'none' | 'open' | 'completed' | 'failed'

function create(): ParserState {
  const items = createOpenItems()
  const usage = createThreadUsage()
  const collab = createCollab()
  const unnamed = new Map<string, string>()
  let minted = 0
  let threadCount = 0
  let turnCount = 0
  let turn: Turn = 'none'
  let messageId = ''
  let lastError: EventOf<'error'> | undefined
  let lastTodos = ''
  let isAsking = false

  function startThread({ type: _, ...fields }: { readonly type: string }, threadId: string | undefined) {
    const start: StreamEvent[] = threadCount === 0 ? [{ type: 'run-start', agent: 'codex' }] : []
    threadCount++
    items.clear()
    usage.startThread(threadId)
    return [...start, ...metadata(fields)]
  }

  function endTurn(state: Turn, reason: string): StreamEvent[] {
    const isOpen = turn === 'open'
    turn = state
    if (!isOpen) return []
    return [
      { type: 'step-end', reason },
      { type: 'message-end', messageId },
    ]
  }

  /** An item without an id continues the open item of its type. */
  function idOf(type: string, isLast: boolean): string {
    const id = unnamed.get(type) ?? `unnamed-${++minted}`
    if (isLast) unnamed.delete(type)
    else unnamed.set(type, id)
    return id
  }

  function readItem(carrier: Carrier, isLast: boolean): readonly StreamEvent[] {
    const rawItem = itemOf(carrier)
    const type = rawItem.type ?? rawItem.item_type ?? ''
    if (!isItemType(type)) return unmapped(carrier)
    const item = typeof rawItem.id === 'string' ? rawItem : { ...rawItem, id: idOf(type, isLast) }
    const prose = kindOf(type, (item as { readonly phase?: string }).phase)
    if (prose !== undefined) return understood(proseEvents(items, item, prose, isLast))
    if (isTool(type)) return understood(toolEvents(items, type, item, isLast))
    if (type === 'collab_tool_call') return understood(collab.events(items, item as CollabItem, isLast))
    if (type === 'todo_list') return readTodos(item as TodoListItem)
    return [{ type: 'error', ...errorOf((item as { message?: string }).message) }]
  }

  /** A list that completes repeats its last state. */
  function readTodos(item: TodoListItem): readonly StreamEvent[] {
    const event = todosEvent(item)
    const todosText = JSON.stringify(event)
    if (todosText === lastTodos) return SILENT
    lastTodos = todosText
    return [event]
  }

  const handlers: Handlers<RawEvent> = {
    'thread.started': (raw) => startThread(raw, raw.thread_id),
    'thread.resumed': (raw) => startThread(raw, raw.thread_id),
    'session.created': (raw) => startThread(raw, raw.session_id),
    'turn.started'({ type: _, turn_id, ...fields }) {
      const ended = endTurn('open', 'interrupted')
      turnCount++
      turn = 'open'
      messageId = turn_id ?? `turn-${turnCount}`
      lastError = undefined
      isAsking = false
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
      return proseDelta(items, item_id, item_type ?? 'agent_message', text) ?? unmapped(raw)
    },
    'item.plan.delta': (raw) => proseDelta(items, raw.item_id, 'plan', raw.delta) ?? unmapped(raw),
    request_user_input({ call_id, questions }) {
      const message = questions.find(({ question }) => question)?.question
      isAsking = true
      const request = { questions } as unknown as JsonObject
      return [{ type: 'approval', approvalId: call_id, state: 'requested', request, ...present({ message }) }]
    },
    error(raw) {
      const message = raw.message ?? raw.error?.message
      if (typeof message !== 'string') return unmapped(raw)
      if (isRetry(message)) return [{ type: 'status', message: message, level: 'warn' }]
      lastError = { type: 'error', ...errorOf(message) }
      return [lastError]
    },
  }

  return {
    push: dispatch(handlers),
    end() {
      if (turn === 'failed') return []
      if (turn === 'completed') return [{ type: 'run-end', outcome: 'success' }]
      if (isAsking) return [{ type: 'run-end', outcome: 'awaiting-input' }]
      if (lastError === undefined) return []
      const { type: _, ...error } = lastError
      return [{ type: 'run-end', outcome: 'error', error }]
    },
  }
}

function isItemType(type: string): boolean {
  return kindOf(type) !== undefined || isTool(type) || ['collab_tool_call', 'todo_list', 'error'].includes(type)
}

function itemOf({ item, item_id, item_type, status, content }: Carrier): RawItem {
  if (item !== undefined) return item
  const fields = typeof content === 'string' ? { text: content } : content
  return { ...fields, id: item_id as string, type: item_type as string, ...present({ status }) }
}

function metadata(fields: object): StreamEvent[] {
  const kept = present(fields) as JsonObject
  return Object.keys(kept).length === 0 ? [] : [{ type: 'metadata', metadata: kept }]
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
