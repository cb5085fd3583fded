import type { EventOf, EventType, StreamEvent } from '../events.ts'

/** Writes each event on a wire: one row per event type. A missing row does not compile. */
export type Rows = { readonly [Type in EventType]: (event: EventOf<Type>) => void }

/** Calls the row of each event. Almost every event has the type of the one before it (`bench/rows/wire.ts`). */
export function createDispatch(table: Rows): (event: StreamEvent) => void {
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
