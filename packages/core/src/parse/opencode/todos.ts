import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { EventScope } from './sessions.ts'

interface RawTodo {
  readonly id?: string
  readonly content: string
  readonly status: string
}

const statuses: ReadonlySet<string> = new Set<TodoStatus>(['pending', 'in_progress', 'completed', 'cancelled'])

/** The list has the same id and the same item ids as the one of the tool that wrote it. */
export function todosEvent(todos: readonly RawTodo[], scope: EventScope): StreamEvent {
  const ids = new Set(todos.map(({ id }) => id))
  const areIds = ids.size === todos.length && !ids.has(undefined)
  return {
    ...scope,
    type: 'todos',
    listId: scope.agentId === undefined ? 'todos' : `todos:${scope.agentId}`,
    op: 'set',
    items: todos.map(
      ({ id, content, status }, index): TodoItem => ({
        id: (areIds ? id : undefined) ?? String(index + 1),
        content,
        status: statuses.has(status) ? (status as TodoStatus) : 'pending',
      }),
    ),
  }
}
