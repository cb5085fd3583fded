import { createPatchedValues } from '../../data/patched-values.ts'
import type { StatusLevel, TodoItem, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { scopeOf } from './fields.ts'
import type { Activity, Base } from './raw.ts'

export interface Activities {
  /** Shows an activity. Returns undefined if one is shown that it must not replace. */
  set(activity: Activity, raw: Base, mayReplace: boolean): StreamEvent[] | undefined
  /** Changes an activity, which begins as the empty object. Returns undefined if the patch is refused. */
  patch(activity: Omit<Activity, 'content'>, patch: Json, raw: Base): StreamEvent[] | undefined
}

/** The maximum number of patched activities and of their size: each patch logs the whole activity again. */
const LIMITS = { maxValues: 256, maxSize: 256 * 1024 }

export function createActivities(): Activities {
  const contents = createPatchedValues(LIMITS)

  function show({ messageId, activityType, content }: Activity, raw: Base): StreamEvent[] {
    const scope = scopeOf(raw)
    const items = PLANS.has(activityType.toUpperCase()) ? planOf(content) : undefined
    if (items !== undefined) return [{ ...scope, type: 'todos', listId: messageId, op: 'set', items }]
    const status = activityType.toUpperCase() === 'STATUS' ? statusOf(content) : undefined
    if (status !== undefined) return [{ ...scope, type: 'status', ...status }]
    return [{ ...scope, type: 'data', name: activityType, id: messageId, data: content }]
  }

  function showNew(activity: Activity, raw: Base): StreamEvent[] {
    contents.set(activity.messageId, activity.content)
    return show(activity, raw)
  }

  return {
    set: (activity, raw, mayReplace) =>
      mayReplace || contents.get(activity.messageId) === undefined ? showNew(activity, raw) : undefined,
    patch(activity, patch, raw) {
      const { messageId } = activity
      if (!contents.patch(messageId, patch, {})) return undefined
      return show({ ...activity, content: contents.get(messageId) ?? {} }, raw)
    },
  }
}

const PLANS: ReadonlySet<string> = new Set(['PLAN', 'PLANS', 'TODO', 'TODOS', 'TODO_LIST', 'TASKS'])

const statuses: ReadonlyMap<string, TodoStatus> = new Map([
  ['in_progress', 'in_progress'],
  ['active', 'in_progress'],
  ['running', 'in_progress'],
  ['completed', 'completed'],
  ['complete', 'completed'],
  ['done', 'completed'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
  ['skipped', 'cancelled'],
])

/** The items of an activity that is a todo list. Returns undefined for other activities. */
function planOf(content: Json): readonly TodoItem[] | undefined {
  const fields = isJsonObject(content) ? content : {}
  const list = fields.todos ?? fields.items ?? fields.steps ?? fields.tasks ?? fields.plan ?? fields.entries
  if (!Array.isArray(list)) return undefined
  const items = list.map((row: Json, index) => itemOf(row, index))
  return items.every((item) => item !== undefined) ? items : undefined
}

function itemOf(row: Json, index: number): TodoItem | undefined {
  const fields: JsonObject = isJsonObject(row) ? row : { content: row }
  const content = fields.content ?? fields.title ?? fields.description ?? fields.text ?? fields.step ?? fields.task
  if (typeof content !== 'string') return undefined
  const id = typeof fields.id === 'string' || typeof fields.id === 'number' ? String(fields.id) : String(index + 1)
  const statusText = String(fields.status ?? '').toLowerCase()
  return { id, content, status: statuses.get(statusText.replaceAll(/[\s-]/g, '_')) ?? 'pending' }
}

const LEVELS: ReadonlySet<Json | undefined> = new Set(['info', 'warn', 'error'])

function statusOf(content: Json): { readonly message: string; readonly level: StatusLevel } | undefined {
  if (!isJsonObject(content) || typeof content.message !== 'string') return undefined
  return { message: content.message, level: LEVELS.has(content.level) ? (content.level as StatusLevel) : 'info' }
}
