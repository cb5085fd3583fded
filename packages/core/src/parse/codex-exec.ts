import { present } from '../data/present.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { createCollab } from './codex-exec/collab.ts'
import { errorOf, isRetry } from './codex-exec/failures.ts'
import { createOpenItems } from './codex-exec/open-items.ts'
import { kindOf, proseDelta, proseEvents } from './codex-exec/prose.ts'
import type { Carrier, CollabItem, RawEvent, RawItem, TodoListItem } from './codex-exec/raw.ts'
import { recognize } from './codex-exec/recognize.ts'
import { todosEvent } from './codex-exec/todos.ts'
import { isTool, toolEvents } from './codex-exec/tools.ts'
import { createThreadUsage } from './codex-exec/usage.ts'
import { dispatch, type Handlers, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** The JSON lines of `codex exec --json`: threads, their turns, and the items of these. */
export const codexExec: Parser = {
  version: 2,
  losses: {
    'other-roles': 'The prompt is not printed.',
    retract: 'An item that has begun stays.',
    signature: 'Reasoning comes as summaries.',
    encrypted: 'Reasoning comes as summaries.',
    citations: 'Text carries no citations.',
    'tool-input-stream': 'Inputs arrive whole.',
    'tool-nesting': 'No call names another.',
    files: 'Changed files are named, not given.',
    'subagent-content': 'A subagent is told of by its start and its end.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    data: 'Every item has its place in our vocabulary.',
    control: 'What a person asks for is not printed.',
    times: 'No record carries a time.',
  },
  recognize,
  create,
}

/** How the turn stands, which is how the run stands once the stream ends. */
type Turn = 'none' | 'open' | 'completed' | 'failed'

function create(): ParserState {
  const items = createOpenItems()
  const usage = createThreadUsage()
  const collab = createCollab()
  const unnamed = new Map<string, string>()
  let minted = 0
  let threads = 0
  let turns = 0
  let turn: Turn = 'none'
  let messageId = ''
  let lastError: EventOf<'error'> | undefined
  let lastTodos = ''
  let isAsking = false

  function startThread({ type: _, ...fields }: { readonly type: string }, threadId: string | undefined) {
    const start: StreamEvent[] = threads === 0 ? [{ type: 'run-start', agent: 'codex' }] : []
    threads++
    items.clear()
    usage.ofThread(threadId)
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

  /** An item without an id goes on with the one of its type that is open. */
  function idOf(type: string, isLast: boolean): string {
    const id = unnamed.get(type) ?? `unnamed-${++minted}`
    if (isLast) unnamed.delete(type)
    else unnamed.set(type, id)
    return id
  }

  function readItem(carrier: Carrier, isLast: boolean): readonly StreamEvent[] {
    const given = itemOf(carrier)
    const type = given.type ?? given.item_type ?? ''
    if (!isKnown(type)) return unmapped(carrier)
    const item = typeof given.id === 'string' ? given : { ...given, id: idOf(type, isLast) }
    const prose = kindOf(type, (item as { readonly phase?: string }).phase)
    if (prose !== undefined) return understood(proseEvents(items, item, prose, isLast))
    if (isTool(type)) return understood(toolEvents(items, type, item, isLast))
    if (type === 'collab_tool_call') return understood(collab.events(items, item as CollabItem, isLast))
    if (type === 'todo_list') return readTodos(item as TodoListItem)
    return [{ type: 'error', ...errorOf((item as { message?: string }).message) }]
  }

  /** A list that completes says once more how it stood. */
  function readTodos(item: TodoListItem): readonly StreamEvent[] {
    const event = todosEvent(item)
    const written = JSON.stringify(event)
    if (written === lastTodos) return SILENT
    lastTodos = written
    return [event]
  }

  const handlers: Handlers<RawEvent> = {
    'thread.started': (raw) => startThread(raw, raw.thread_id),
    'thread.resumed': (raw) => startThread(raw, raw.thread_id),
    'session.created': (raw) => startThread(raw, raw.session_id),
    'turn.started'({ type: _, turn_id, ...fields }) {
      const ended = endTurn('open', 'interrupted')
      turns++
      turn = 'open'
      messageId = turn_id ?? `turn-${turns}`
      lastError = undefined
      return [
        ...ended,
        { type: 'message-start', messageId, role: 'assistant' },
        { type: 'step-start', kind: 'model', number: turns },
        ...metadata(fields),
      ]
    },
    'turn.completed': ({ usage: total }) =>
      understood([...(total ? usage.event(total) : []), ...endTurn('completed', 'completed')]),
    'turn.failed'({ error }) {
      const said = typeof error === 'string' ? error : error?.message
      return [...endTurn('failed', 'failed'), { type: 'run-end', outcome: 'error', error: errorOf(said) }]
    },
    'item.created': (raw) => readItem(raw, itemOf(raw).status === 'completed'),
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
      const said = raw.message ?? raw.error?.message
      if (typeof said !== 'string') return unmapped(raw)
      if (isRetry(said)) return [{ type: 'status', message: said, level: 'warn' }]
      lastError = { type: 'error', ...errorOf(said) }
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

function isKnown(type: string): boolean {
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
