import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { TodoListItem } from './raw.ts'

const statuses: { readonly [status: string]: TodoStatus | undefined } = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
}

/**
 * A run has one list: the list of each turn replaces the last. Codex works through its list in order and reports only
 * completed items, so the first item that is not completed is in progress.
 */
export function todosEvent({ items }: TodoListItem): StreamEvent {
  const next = items.findIndex(({ completed }) => !completed)
  return {
    type: 'todos',
    listId: 'todos',
    op: 'set',
    items: items.map(
      ({ text, completed, status }, index): TodoItem => ({
        id: String(index + 1),
        content: text,
        status: statuses[status ?? ''] ?? (completed ? 'completed' : index === next ? 'in_progress' : 'pending'),
      }),
    ),
  }
}
