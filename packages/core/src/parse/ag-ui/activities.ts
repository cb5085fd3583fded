import { createPatchedValues } from '../../data/patched-values.ts'
import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn } from '../kit/fields.ts'
import type { Out } from '../kit/voice.ts'
import { scopeOf } from './fields.ts'
import type { Activity, Base } from './raw.ts'

export interface Activities {
  /** Shows an activity. Returns false if one is shown that it must not replace. */
  set(out: Out, activity: Activity, raw: Base, mayReplace: boolean): boolean
  /** Changes an activity, which begins as the empty object. Returns false if the patch is refused. */
  patch(out: Out, activity: Omit<Activity, 'content'>, patch: Json, raw: Base): boolean
}

/** The maximum number of patched activities and of their size: each patch logs the whole activity again. */
const LIMITS = { maxValues: 256, maxSize: 256 * 1024 }

export function createActivities(): Activities {
  const contents = createPatchedValues(LIMITS)
  return {
    set(out, activity, raw, mayReplace) {
      const { messageId, content } = activity
      if (!mayReplace && contents.get(messageId) !== undefined) return false
      contents.set(messageId, content)
      out.push({ ...scopeOf(raw), ...eventOf(activity) })
      return true
    },
    patch(out, activity, patch, raw) {
      const { messageId } = activity
      if (!contents.patch(messageId, patch, {})) return false
      out.push({ ...scopeOf(raw), ...eventOf({ ...activity, content: contents.get(messageId) ?? {} }) })
      return true
    },
  }
}

function eventOf({ messageId, activityType, content }: Activity): StreamEvent {
  const type = activityType.toUpperCase()
  const items = PLANS.has(type) ? planOf(content) : undefined
  if (items !== undefined) return { type: 'todos', listId: messageId, op: 'set', items }
  const { message, level } = objectIn(content)
  if (type === 'STATUS' && typeof message === 'string')
    return { type: 'status', message, level: level === 'warn' || level === 'error' ? level : 'info' }
  return { type: 'data', name: activityType, id: messageId, data: content }
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
  const { todos, items: listed, steps, tasks, plan, entries } = objectIn(content)
  const list = todos ?? listed ?? steps ?? tasks ?? plan ?? entries
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
