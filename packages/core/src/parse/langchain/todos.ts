import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { Calls } from './calls.ts'
import type { Scope } from './told.ts'

/** Lists of todos that stand in the state. */
export interface Todos {
  tell(todos: Json | undefined, scope: Scope): StreamEvent[]
}

const STATUSES: ReadonlySet<string> = new Set(['pending', 'in_progress', 'completed', 'cancelled'])

/** How many lists are remembered: each agent has its own. */
const MAX_LISTS = 256

export function createTodos(calls: Calls): Todos {
  const told = new Map<string, string>()

  return {
    tell(todos, scope) {
      // A call that writes the list shows it already.
      if (!Array.isArray(todos) || calls.wasCalled(scope, 'write_todos')) return []
      const text = JSON.stringify(todos)
      if (told.get(scope.key) === text || (todos.length === 0 && !told.has(scope.key))) return []
      remember(told, scope.key, text, MAX_LISTS)
      const listId = scope.agentId === undefined ? 'todos' : `todos:${scope.agentId}`
      const items = todos.filter(isJsonObject).map(itemOf)
      return [{ type: 'todos', listId, op: 'set', items, ...present({ agentId: scope.agentId }) }]
    },
  }
}

function itemOf(todo: { readonly [field: string]: Json }, place: number): TodoItem {
  const status = String(todo.status)
  return {
    id: typeof todo.id === 'string' ? todo.id : String(place + 1),
    content: String(todo.content ?? ''),
    status: STATUSES.has(status) ? (status as TodoStatus) : 'pending',
  }
}
