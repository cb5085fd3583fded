import type { TodoItem } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'

type TodosEvent = EventOf<'todos'>
type TodoOperation = 'create' | 'update' | 'done'

/** The lines that tell of this change: how many tasks there are now, or each one that was completed. */
export type TodoLines = (event: TodosEvent) => readonly string[]

export function createTodoLines(): TodoLines {
  const lists = new Map<string, ReadonlyMap<string, TodoItem>>()

  return (event) => {
    const before = lists.get(event.listId)
    const list = new Map(event.op === 'update' ? before : [])
    for (const item of event.items) {
      const content = item.content === '' ? (before?.get(item.id)?.content ?? '') : item.content
      list.set(item.id, { ...item, content })
    }
    lists.set(event.listId, list)
    const completed = completedIn(event).map(({ id, content }) => `Completed: ${list.get(id)?.content ?? content}`)
    const lines: { readonly [Operation in TodoOperation]: readonly string[] } = {
      create: [`Planning: ${list.size} tasks`],
      update: [`Updated: ${list.size} tasks`],
      done: completed,
    }
    return lines[operationOf(event, before === undefined)]
  }
}

/** What the parser says it was, else what it looks like. */
function operationOf(event: TodosEvent, isFirst: boolean): TodoOperation {
  const said = event.meta?.millrace?.todoOp
  if (said === 'create' || said === 'update' || said === 'done') return said
  if (event.op === 'update' && completedIn(event).length > 0) return 'done'
  return isFirst ? 'create' : 'update'
}

function completedIn({ items }: TodosEvent): readonly TodoItem[] {
  return items.filter((item) => item.status === 'completed')
}
