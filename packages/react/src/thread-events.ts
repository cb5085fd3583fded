import type { ChatEvent } from '@millrace/core/fold/shapes'

/** The events to draw: a live one takes the place of the stored one of its id, new ones follow. Order is kept. */
export function eventsToDraw(stored: readonly ChatEvent[], live: readonly ChatEvent[]): readonly ChatEvent[] {
  if (live.length === 0) return stored
  const liveById = new Map(live.map((event) => [event.id, event]))
  const known = new Set(stored.map(({ id }) => id))
  return [...stored.map((event) => liveById.get(event.id) ?? event), ...live.filter(({ id }) => !known.has(id))]
}
