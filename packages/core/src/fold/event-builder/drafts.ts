import type { StreamEvent } from '../../events.ts'
import { EventBuilder } from '../event-builder.ts'
import { fold } from '../fold.ts'
import type { ChatEvent } from '../shapes.ts'

/** Holds finished Events. `put` replaces the Event of the same id. */
export interface EventStore {
  get(eventId: string): ChatEvent | undefined
  put(event: ChatEvent): void
}

export interface DraftsOptions {
  readonly store: EventStore
  /** Called when the result of `eventOf` for this id has changed. */
  readonly onChange?: (eventId: string) => void
  readonly runId?: string
  /** Milliseconds; without it all times are 0. */
  readonly now?: () => number
}

/** The sender allocates the ids. */
export interface SentMessage {
  readonly userEventId: string
  readonly placeholderEventId: string
  readonly text: string
}

/** Streaming Events are in a transient map; the store gets them when they are finished. */
export interface Drafts {
  readonly draftsByEventId: ReadonlyMap<string, ChatEvent>
  /** Stores the user's Event and an empty assistant Event at once; the builder fills the latter. */
  send(message: SentMessage): EventBuilder
  /** The Event to draw for an id: its draft while there is one, else the stored Event. */
  eventOf(eventId: string): ChatEvent | undefined
}

export function createDrafts({ store, onChange, runId = 'run', now = () => 0 }: DraftsOptions): Drafts {
  const draftsByEventId = new Map<string, ChatEvent>()

  function put(event: ChatEvent): void {
    store.put(event)
    draftsByEventId.delete(event.id)
    onChange?.(event.id)
  }

  function folded(eventId: string, events: readonly StreamEvent[]): ChatEvent {
    const entries = events.map((event, index) => ({ seq: index + 1, at: now(), event, rawThrough: 0 }))
    return { ...(fold(entries, { runId }).chatEvents[0] as ChatEvent), id: eventId }
  }

  return {
    draftsByEventId,
    send({ userEventId, placeholderEventId, text }) {
      const blockId = `${userEventId}/1`
      const user = folded(userEventId, [
        { type: 'message-start', messageId: userEventId, role: 'user' },
        { type: 'block-start', blockId, kind: 'text' },
        { type: 'block-delta', blockId, text },
        { type: 'block-end', blockId },
        { type: 'message-end', messageId: userEventId },
      ])
      put(user)
      put(folded(placeholderEventId, [{ type: 'message-start', messageId: placeholderEventId, role: 'assistant' }]))
      return new EventBuilder({
        placeholderEventId,
        runId,
        now,
        onUpdate(draft) {
          draftsByEventId.set(draft.id, draft)
          onChange?.(draft.id)
        },
        onFinalize: put,
      })
    },
    eventOf: (eventId) => draftsByEventId.get(eventId) ?? store.get(eventId),
  }
}
