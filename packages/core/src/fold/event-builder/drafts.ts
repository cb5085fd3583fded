import type { StreamEvent } from '../../events.ts'
import { EventBuilder } from '../event-builder.ts'
import { fold } from '../fold.ts'
import type { ChatEvent } from '../shapes.ts'

/** Where finished Events live. `put` replaces the Event of the same id. */
export interface EventStore {
  get(eventId: string): ChatEvent | undefined
  put(event: ChatEvent): void
}

export interface DraftsOptions {
  readonly store: EventStore
  /** An Event that is drawn from `eventOf` has changed. */
  readonly onChange?: (eventId: string) => void
  readonly runId?: string
  /** Milliseconds; without it all times are 0. */
  readonly now?: () => number
}

/** The ids are preallocated by whoever sends. */
export interface SentMessage {
  readonly userEventId: string
  readonly placeholderEventId: string
  readonly text: string
}

/** Events while they stream stand in a transient map; the store gets them when they are finished. */
export interface Drafts {
  readonly draftsByEventId: ReadonlyMap<string, ChatEvent>
  /** Stores the user's Event and an empty one for the assistant at once; the builder fills the latter. */
  send(message: SentMessage): EventBuilder
  /** What is to be drawn for an id: its draft while there is one, else what is stored. */
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
