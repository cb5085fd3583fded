import type { EventOf, EventType, StreamEvent } from '../events.ts'

/** What each event is on a wire. A row per type; a missing row does not compile. */
export type Rows = { readonly [Type in EventType]: (event: EventOf<Type>) => void }

/** Tells events by their rows. Almost every one is of the type of the one before it (`bench/rows/wire.ts`). */
export function byRows(table: Rows): (event: StreamEvent) => void {
  const rows = table as { readonly [type: string]: (event: StreamEvent) => void }
  let type: string | undefined
  let row: ((event: StreamEvent) => void) | undefined
  return (event) => {
    if (event.type !== type) {
      type = event.type
      row = rows[type]
    }
    row?.(event)
  }
}
