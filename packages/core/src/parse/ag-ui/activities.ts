import { createPatchedValues } from '../../data/patched-values.ts'
import type { TodoItem, TodoStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn } from '../kit/fields.ts'
import { byNames, namesIn } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import { scopeOf } from './fields.ts'
import type { Activity, Base, RawOf } from './raw.ts'

export interface Activities {
  /** Shows an activity, unless one is shown that it must not replace. */
  set(out: Out, activity: Activity, raw: Base & { readonly replace?: boolean }): void
  /** Changes an activity, which begins as the empty object, unless the patch is refused. */
  patch(out: Out, raw: RawOf<'ACTIVITY_DELTA'>): void
}

/** The maximum number of patched activities and of their size: each patch logs the whole activity again. */
const LIMITS = { maxValues: 256, maxSize: 256 * 1024 }

export function createActivities(): Activities {
  const contents = createPatchedValues(LIMITS)
  return {
    set(out, activity, raw) {
      const { messageId, content } = activity
      const isRefused = raw.replace === false && contents.get(messageId) !== undefined
      if (!isRefused) contents.set(messageId, content)
      out.push(...(isRefused ? unmapped(raw) : [{ ...scopeOf(raw), ...eventOf(activity) }]))
    },
    patch(out, raw) {
      const isPatched = contents.patch(raw.messageId, raw.patch, {})
      const content = contents.get(raw.messageId) ?? {}
      out.push(...(isPatched ? [{ ...scopeOf(raw), ...eventOf({ ...raw, content }) }] : unmapped(raw)))
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

const PLANS = namesIn('PLAN PLANS TODO TODOS TODO_LIST TASKS')

const statuses = byNames<TodoStatus>([
  ['in_progress', 'in_progress active running'],
  ['completed', 'completed complete done'],
  ['cancelled', 'cancelled canceled skipped'],
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
