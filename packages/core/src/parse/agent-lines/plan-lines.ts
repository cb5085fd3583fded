import { present } from '../../data/present.ts'
import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Handlers } from '../parser.ts'
import { type PlanLine, subagentTools, type TodoEntry, todoTools } from './lines.ts'
import type { Seen } from './seen.ts'

const LIST = 'todos'

/** Todo lists and subagents. `meta` keeps the type of the line: the first document draws them in different blocks. */
export function planLines(seen: Seen): Handlers<PlanLine> {
  return {
    todos: ({ data }) => [setOf(data.items, 'create', seen)],
    todo_create: ({ data }) => [setOf(data.items, 'create', seen)],
    todo_update: ({ data }) => [setOf(data.items, 'update', seen)],
    todo_done: ({ data: { item, index } }) => [
      { type: 'todos', listId: LIST, op: 'update', items: [doneOf(item, index, seen.todos())], meta: todoMeta('done') },
    ],
    subagent_start: ({ data }) => [startOf(seen, 'start', data.agent, data.task)],
    subagent_spawn: ({ data }) => [startOf(seen, 'spawn', data.subagent_type, data.description, data.subagent_id)],
    subagent_complete({ data: { agent, summary } }) {
      const open = seen.openSubagents().find(({ name }) => name === agent)
      const start = open ?? startOf(seen, 'start', agent, undefined)
      const before = open === undefined ? [start] : answerOf(start, summary, seen)
      const fields = present({ summary: summary || undefined })
      return [...before, { type: 'subagent-end', agentId: start.agentId, status: 'done', ...fields }]
    },
  }
}

const todoMeta = (todoOp: 'create' | 'update' | 'done') => ({ millrace: { todoOp } })

function setOf(entries: readonly TodoEntry[], todoOp: 'create' | 'update', seen: Seen): StreamEvent {
  const items = entries.map((entry, index): TodoItem => ({ id: String(index + 1), ...itemOf(entry) }))
  const call = seen.announcedCall(...todoTools)
  return { type: 'todos', listId: LIST, op: 'set', items, ...present({ callId: call?.callId }), meta: todoMeta(todoOp) }
}

function itemOf({ content, activeForm, status }: TodoEntry): Omit<TodoItem, 'id'> {
  return { content: content || activeForm || '', status: statuses.get(status ?? '') ?? 'pending' }
}

const statuses: ReadonlyMap<string, TodoStatus> = new Map(
  (['pending', 'in_progress', 'completed', 'cancelled'] as const).map((status) => [status, status]),
)

/** The item that is done: the one at the index, counted from 0, unless another has the same text. */
function doneOf(
  item: string | TodoEntry | undefined,
  index: number | undefined,
  currentItems: readonly TodoItem[],
): TodoItem {
  const itemText = typeof item === 'string' ? item : item && itemOf(item).content
  const byIndex = index === undefined ? undefined : currentItems[index]
  const sameText = itemText ? currentItems.find(({ content }) => content === itemText) : undefined
  const found = byIndex?.content === itemText ? byIndex : (sameText ?? byIndex)
  const content = itemText || found?.content
  const id = found?.id ?? (index === undefined ? undefined : String(index + 1))
  if (content === undefined || id === undefined)
    throw new TypeError('The line does not identify the item that is done.')
  return { id, content, status: 'completed' }
}

function startOf(
  seen: Seen,
  subagentOp: 'start' | 'spawn',
  name: string,
  task: string | undefined,
  agentId?: string,
): EventOf<'subagent-start'> {
  const call = seen.undrawnCall(...subagentTools)
  return {
    type: 'subagent-start',
    agentId: agentId || seen.nextAgentId(),
    name,
    ...present({ task: task || undefined, callId: call?.callId }),
    meta: { millrace: { subagentOp } },
  }
}

/** The call that started a subagent has no result line: the summary of the subagent is its output. */
function answerOf({ callId }: EventOf<'subagent-start'>, summary: string | undefined, seen: Seen): StreamEvent[] {
  if (callId === undefined || !seen.isOpen(callId)) return []
  return [{ type: 'tool-output', callId, status: 'ok', output: summary ?? null }]
}
