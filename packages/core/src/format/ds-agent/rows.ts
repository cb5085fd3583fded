import type { EventOf, EventType } from '../../events.ts'

/** What each event does to the stream. A row per type; a missing row does not compile. */
export type Rows = { readonly [Type in EventType]: (event: EventOf<Type>) => void }
