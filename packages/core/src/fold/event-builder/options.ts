import type { ChatEvent } from '../shapes.ts'

export interface EventBuilderOptions {
  /** The id under which the assistant's first Event already stands in the store. */
  readonly placeholderEventId: string
  /** The Event as it is now, at least once for every change that can be seen. */
  readonly onUpdate?: (draft: ChatEvent) => void
  /**
   * The finished Event, to be stored under its id. Once per Event; once more only where a tool result, or a segment set
   * anew, comes after its Event was finished, for then the stored Event lacks it.
   */
  readonly onFinalize?: (event: ChatEvent) => void
  readonly runId?: string
  /** Milliseconds. Without a clock all times are 0: the fold itself never asks what time it is. */
  readonly now?: () => number
}

/** A text or reasoning segment, whole as it is now. */
export interface WholeSegment {
  readonly id: string
  readonly type: 'text' | 'reasoning'
  readonly text: string
}
