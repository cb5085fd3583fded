import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { TodoListItem } from './raw.ts'

const statuses: { readonly [status: string]: TodoStatus | undefined } = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
}

/**
 * One list a run: each turn's takes the place of the last. Codex works through its list in order and says only what is
 * done, so that the first item that is not is the one it is at.
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
