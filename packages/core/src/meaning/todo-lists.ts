import type { TodoItem } from '../event-fields.ts'
import type { EventOf } from '../events.ts'

/** A list after an event: `set` replaces it; `update` changes known items in place and adds new ones at the end. */
export function todosAfter(list: readonly TodoItem[], { op, items }: EventOf<'todos'>): readonly TodoItem[] {
  if (op === 'set') return items
  const byId = new Map(list.map((item) => [item.id, item]))
  for (const item of items) {
    // An update may leave the words as they are.
    const content = item.content === '' ? (byId.get(item.id)?.content ?? '') : item.content
    byId.set(item.id, { ...item, content })
  }
  return [...byId.values()]
}
