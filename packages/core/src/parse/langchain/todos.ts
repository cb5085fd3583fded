import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { Calls } from './calls.ts'
import type { GraphScope } from './emitted-message.ts'

/** The todo lists in the state. */
export interface Todos {
  set(todos: Json | undefined, scope: GraphScope): StreamEvent[]
}

const STATUSES: ReadonlySet<string> = new Set(['pending', 'in_progress', 'completed', 'cancelled'])

/** How many lists are remembered. Each agent has its own. */
const MAX_LISTS = 256

export function createTodos(calls: Calls): Todos {
  const lastTexts = new Map<string, string>()

  return {
    set(todos, scope) {
      // A call that writes the list already shows it.
      if (!Array.isArray(todos) || calls.wasCalled(scope, 'write_todos')) return []
      const text = JSON.stringify(todos)
      if (lastTexts.get(scope.key) === text || (todos.length === 0 && !lastTexts.has(scope.key))) return []
      remember(lastTexts, scope.key, text, MAX_LISTS)
      const listId = scope.agentId === undefined ? 'todos' : `todos:${scope.agentId}`
      const items = todos.filter(isJsonObject).map(itemOf)
      return [{ type: 'todos', listId, op: 'set', items, ...present({ agentId: scope.agentId }) }]
    },
  }
}

function itemOf(todo: { readonly [field: string]: Json }, index: number): TodoItem {
  const status = String(todo.status)
  return {
    id: typeof todo.id === 'string' ? todo.id : String(index + 1),
    content: String(todo.content ?? ''),
    status: STATUSES.has(status) ? (status as TodoStatus) : 'pending',
  }
}
