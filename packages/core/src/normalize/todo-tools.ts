import type { TodoItem, TodoStatus } from '../event-fields.ts'
import type { EventOf } from '../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { type CreatePass, type PassRows, rowOf, scopeOf } from './pass.ts'
import { bareName, firstText, textOf } from './tool-values.ts'

/** What each supported tool writes: a whole list, a new task, or a changed task. */
const tools: ReadonlyMap<string, 'list' | 'create' | 'update'> = new Map([
  ['TodoWrite', 'list'],
  ['todoWrite', 'list'],
  ['todowrite', 'list'],
  ['todo_write', 'list'],
  ['write_todos', 'list'],
  ['update_todos', 'list'],
  ['set_todos', 'list'],
  ['update_plan', 'list'],
  ['set_plan', 'list'],
  ['write_plan', 'list'],
  ['TaskCreate', 'create'],
  ['TaskUpdate', 'update'],
])

/** The statuses of todo tools. A status that is not listed means `pending`. */
const statuses: ReadonlyMap<string, TodoStatus> = new Map([
  ['in_progress', 'in_progress'],
  ['inprogress', 'in_progress'],
  ['doing', 'in_progress'],
  ['active', 'in_progress'],
  ['started', 'in_progress'],
  ['running', 'in_progress'],
  ['completed', 'completed'],
  ['complete', 'completed'],
  ['done', 'completed'],
  ['finished', 'completed'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
  ['deleted', 'cancelled'],
  ['skipped', 'cancelled'],
])

interface TodoCall {
  readonly writes: 'list' | 'create' | 'update'
  readonly agentId: string | undefined
  /** The task of a `TaskCreate`, until the output gives its id. */
  task?: Omit<TodoItem, 'id'>
}

/** The tasks of a list that is written one task at a time: an update may leave fields out. */
interface TaskList {
  readonly tasks: Map<string, TodoItem>
  lastId: number
}

/** Adds the list of todos that a todo tool writes, beside the call. */
export const todoTools: CreatePass = (emit) => {
  const calls = new Map<string, TodoCall>()
  const seenLists = new Set<string>()
  const lists = new Map<string, TaskList>()

  function listOf(listId: string): TaskList {
    const list = lists.get(listId) ?? { tasks: new Map(), lastId: 0 }
    lists.set(listId, list)
    return list
  }

  function emitTodos(
    cause: EventOf<'tool-input'> | EventOf<'tool-output'>,
    call: TodoCall,
    items: readonly TodoItem[],
  ): void {
    const agentId = cause.agentId ?? call.agentId
    const listId = listIdOf(agentId)
    const meta = { millrace: { todoOp: seenLists.has(listId) ? 'update' : 'create' } }
    const op = call.writes === 'list' ? 'set' : 'update'
    const scope = { ...scopeOf(cause), ...(agentId !== undefined && { agentId }) }
    seenLists.add(listId)
    emit({ ...scope, type: 'todos', listId, op, items, callId: cause.callId, meta })
  }

  /** A created task has no id until the output gives one; if it gives none, the id is the next number. */
  function addTask(event: EventOf<'tool-output'>, call: TodoCall): void {
    if (call.task === undefined || event.status !== 'ok') return
    const list = listOf(listIdOf(event.agentId ?? call.agentId))
    const id = taskIdOf(event.output) ?? String(list.lastId + 1)
    list.lastId = Math.max(list.lastId + 1, Number.parseInt(id, 10) || 0)
    const item = { id, ...call.task }
    list.tasks.set(id, item)
    emitTodos(event, call, [item])
  }

  function updateTask(event: EventOf<'tool-input'>, call: TodoCall, input: JsonObject): void {
    const id = idOf(input.taskId)
    if (id === undefined) return
    const { tasks } = listOf(listIdOf(event.agentId ?? call.agentId))
    const before = tasks.get(id)
    const content = firstText(input, 'subject') ?? before?.content ?? firstText(input, 'activeForm') ?? `Task ${id}`
    const status = input.status === undefined ? (before?.status ?? 'pending') : statusOf(input.status)
    const item = { id, content, status }
    tasks.set(id, item)
    emitTodos(event, call, [item])
  }

  function readInput(event: EventOf<'tool-input'>, call: TodoCall, input: JsonObject): void {
    if (call.writes === 'create') {
      const content = firstText(input, 'subject', 'description', 'activeForm')
      if (content !== undefined) call.task = { content, status: statusOf(input.status) }
      return
    }
    calls.delete(event.callId)
    const items = call.writes === 'list' ? itemsOf(input) : undefined
    if (items !== undefined) emitTodos(event, call, items)
    if (call.writes === 'update') updateTask(event, call, input)
  }

  const rows: PassRows = {
    'tool-start'({ callId, name, agentId }) {
      const writes = tools.get(bareName(name))
      if (writes !== undefined) calls.set(callId, { writes, agentId })
    },
    'tool-input'(event) {
      const call = calls.get(event.callId)
      if (call !== undefined && isJsonObject(event.input)) readInput(event, call, event.input)
    },
    'tool-output'(event) {
      const call = calls.get(event.callId)
      calls.delete(event.callId)
      if (call !== undefined) addTask(event, call)
    },
    /** The stream has its own list, perhaps for this call: then nothing is added for the call. */
    todos({ listId, callId }) {
      seenLists.add(listId)
      if (callId !== undefined) calls.delete(callId)
    },
  }

  return {
    push(event) {
      emit(event)
      rowOf(rows, event)?.(event)
    },
    end() {
      calls.clear()
    },
  }
}

function listIdOf(agentId: string | undefined): string {
  return agentId === undefined ? 'todos' : `todos:${agentId}`
}

/** The items of a whole list; undefined if the input holds none. */
function itemsOf(input: JsonObject): readonly TodoItem[] | undefined {
  const list = input.todos ?? input.items ?? input.plan ?? input.steps
  if (!Array.isArray(list)) return undefined
  const rows = list.filter((row: Json): row is JsonObject | string => isJsonObject(row) || typeof row === 'string')
  const ids = rows.map((row) => (typeof row === 'string' ? undefined : idOf(row.id)))
  const areIds = new Set(ids).size === ids.length && !ids.includes(undefined)
  return rows.map((row, index) => ({
    id: (areIds ? ids[index] : undefined) ?? String(index + 1),
    content: typeof row === 'string' ? row : contentOf(row),
    status: typeof row === 'string' ? 'pending' : statusOf(row.status),
  }))
}

function contentOf(row: JsonObject): string {
  return firstText(row, 'content', 'step', 'text', 'title', 'activeForm', 'description') ?? ''
}

function statusOf(word: Json | undefined): TodoStatus {
  if (typeof word !== 'string') return 'pending'
  return statuses.get(word.toLowerCase().replaceAll(/[\s-]/g, '_')) ?? 'pending'
}

function idOf(value: Json | undefined): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined
}

/** `{task: {id}}`, or a sentence with `#1` in it. */
function taskIdOf(output: Json): string | undefined {
  if (isJsonObject(output)) return isJsonObject(output.task) ? idOf(output.task.id) : idOf(output.id)
  return /#(\w+)/.exec(textOf(output) ?? '')?.[1]
}
