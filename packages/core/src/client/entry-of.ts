import type { Entry, EntryMaker } from '../entry.ts'
import { isStreamEvent } from '../event-shape.ts'
import type { StreamEvent } from '../events.ts'
import type { Json } from '../json.ts'

/**
 * The entry that a value from outside represents; undefined if it is not an entry. An event of an unknown type becomes
 * `raw` under its `seq`, so that an older client sees no gap in the stream of a newer server.
 */
export function entryOf(value: unknown): Entry | undefined {
  if (!isRecord(value)) return undefined
  const { seq, at, rawThrough, event, by } = value
  if (!isCount(seq) || typeof at !== 'number' || !isRecord(event)) return undefined
  const maker = isMaker(by) ? { by } : {}
  return { seq, at, event: eventOf(event), rawThrough: isCount(rawThrough) ? rawThrough : 0, ...maker }
}

function eventOf(value: object): StreamEvent {
  return isStreamEvent(value) ? value : { type: 'raw', value: value as Json, reason: 'unmapped' }
}

const isMaker = (value: unknown): value is EntryMaker => value === 'server' || value === 'client'

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}
