import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import type { EventViewProps } from '../../src/event-view.tsx'

/** Something to draw, in a chat event that is live unless `event` says otherwise. */
export interface Case {
  readonly name: string
  readonly segments: readonly Segment[]
  readonly event?: Partial<ChatEvent>
  readonly options?: Omit<EventViewProps, 'event'>
}
