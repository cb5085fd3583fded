import type { Page, StoredThread } from './log.ts'

/** How lists of threads are searched and paged, the same for every member. */

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

/** A position in the list: newest update first, then the greater id. */
export type ThreadPosition = Pick<StoredThread, 'updatedAt' | 'id'>

export const limitOf = (limit = DEFAULT_LIMIT): number => Math.min(Math.max(Math.floor(limit), 1), MAX_LIMIT)

/** The position of a cursor. The page after a cursor that is not valid is empty. */
export function positionOf(cursor: string): ThreadPosition {
  const dot = cursor.indexOf('.')
  return { updatedAt: dot > 0 ? Number(cursor.slice(0, dot)) : Number.NaN, id: cursor.slice(dot + 1) }
}

/** A page of at most `limit` threads. `threads` holds one more if there is a next page. */
export function pageOf(threads: readonly StoredThread[], limit: number): Page<StoredThread> {
  const items = threads.slice(0, limit)
  const last = items.at(-1)
  if (threads.length <= limit || last === undefined) return { items }
  return { items, next: `${last.updatedAt}.${last.id}` }
}

/** Ignores case. */
export const contains = (text: string, search: string): boolean => text.toLowerCase().includes(search.toLowerCase())

/** Whether the thread comes after the position in the list. */
export const comesAfter = ({ updatedAt, id }: ThreadPosition, position: ThreadPosition): boolean =>
  updatedAt < position.updatedAt || (updatedAt === position.updatedAt && id < position.id)
