import { isJsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** Whether a value is a chat event, as far as its first fields say. */
export function isChatEvent(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { id, role, state, segments } = value
  return typeof id === 'string' && typeof role === 'string' && typeof state === 'string' && Array.isArray(segments)
}

/** Whether a value is a run or a thread: an object that holds chat events. */
export function isRun(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(value.chatEvents) && value.chatEvents.every(isChatEvent)
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (isChatEvent(value)) return { certainty: 1, reason: 'a record is a chat event of segments' }
  return isRun(value) ? { certainty: 0.95, reason: 'a record holds chat events of segments' } : undefined
}
