import type { TodoItem } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'

/** The lists as they stand. */
export interface TodoLists {
  /** The whole list after this event. */
  push(event: EventOf<'todos'>): readonly TodoItem[]
  has(listId: string): boolean
}

export function createTodoLists(): TodoLists {
  const lists = new Map<string, readonly TodoItem[]>()
  return {
    push({ listId, op, items }) {
      const list = op === 'set' ? items : patched(lists.get(listId) ?? [], items)
      lists.set(listId, list)
      return list
    },
    has: (listId) => lists.has(listId),
  }
}

function patched(list: readonly TodoItem[], changes: readonly TodoItem[]): readonly TodoItem[] {
  const items = new Map(list.map((item) => [item.id, item]))
  for (const change of changes) items.set(change.id, change)
  return [...items.values()]
}
