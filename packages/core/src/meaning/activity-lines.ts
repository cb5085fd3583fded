import { rememberOne } from '../data/remember.ts'
import type { SubagentStatus, TodoItem } from '../event-fields.ts'
import type { EventOf } from '../events.ts'

/** A list after an event: `set` replaces it; `update` changes existing items in place and adds new ones at the end. */
export function todosAfter(list: readonly TodoItem[], { op, items }: EventOf<'todos'>): readonly TodoItem[] {
  if (op === 'set') return items
  const byId = new Map(list.map((item) => [item.id, item]))
  for (const item of items) {
    // An update with an empty content keeps the content.
    const content = item.content === '' ? (byId.get(item.id)?.content ?? '') : item.content
    byId.set(item.id, { ...item, content })
  }
  return [...byId.values()]
}

type TodoOperation = 'create' | 'update' | 'done'

/** The lines that describe a change to a todo list: the number of tasks, or each completed task. */
export type TodoLines = (event: EventOf<'todos'>) => readonly string[]

export function createTodoLines(): TodoLines {
  const lists = new Map<string, readonly TodoItem[]>()

  return (event) => {
    const before = lists.get(event.listId)
    const list = todosAfter(before ?? [], event)
    lists.set(event.listId, list)
    const done = new Set(event.items.filter(isCompleted).map(({ id }) => id))
    const lines: { readonly [Operation in TodoOperation]: readonly string[] } = {
      create: [`Planning: ${list.length} tasks`],
      update: [`Updated: ${list.length} tasks`],
      done: list.filter(({ id }) => done.has(id)).map(({ content }) => `Completed: ${content}`),
    }
    return lines[operationOf(event, before === undefined)]
  }
}

/** The operation that the parser declares, else the one that the event suggests. */
function operationOf(event: EventOf<'todos'>, isFirst: boolean): TodoOperation {
  const declared = event.meta?.millrace?.todoOp
  if (declared === 'create' || declared === 'update' || declared === 'done') return declared
  if (event.op === 'update' && event.items.some(isCompleted)) return 'done'
  return isFirst ? 'create' : 'update'
}

const isCompleted = (item: TodoItem) => item.status === 'completed'

type SubagentStartFields = Pick<EventOf<'subagent-start'>, 'name' | 'task' | 'meta'>

/** Whether the framework declares the subagent as spawned, not as one that began to think. */
function isSpawn({ meta }: Pick<SubagentStartFields, 'meta'>): boolean {
  return meta?.millrace?.subagentOp === 'spawn'
}

/** The tools by which one framework spawns its subagents. */
const spawningTools: ReadonlySet<string> = new Set(['Task', 'Agent'])

/** Tells spawned subagents from those that began to think: by the framework's declaration, else by their call. */
export interface Spawns {
  note(call: EventOf<'tool-start'>): void
  isSpawn(start: EventOf<'subagent-start'>): boolean
}

export function createSpawns(): Spawns {
  const calls = new Set<string>()
  return {
    note({ callId, name }) {
      if (spawningTools.has(name)) rememberOne(calls, callId)
    },
    isSpawn(start) {
      const isDeclared = start.meta?.millrace?.subagentOp !== undefined
      return isDeclared ? isSpawn(start) : calls.has(start.callId ?? '')
    },
  }
}

/** The line of a `subagent-start` event, or of the segment that it became. */
export function subagentStartLine(start: SubagentStartFields, isSpawned = isSpawn(start)): string {
  return withDetail(`${isSpawned ? 'Spawned' : 'Started'} ${start.name}`, start.task)
}

export function subagentEndLine(name: string, status: SubagentStatus, summary: string | undefined): string {
  return withDetail(`${status === 'done' ? 'Completed' : `Ended (${status})`} ${name}`, summary)
}

function withDetail(line: string, detail: string | undefined): string {
  return detail === undefined || detail === '' ? line : `${line}: ${detail}`
}
