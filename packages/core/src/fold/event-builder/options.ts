import type { ChatEvent } from '../shapes.ts'

export interface EventBuilderOptions {
  /** The id of the assistant's first Event, which is already in the store. */
  readonly placeholderEventId: string
  /** Called with the current Event at least once for every visible change. */
  readonly onUpdate?: (draft: ChatEvent) => void
  /**
   * Called with the finished Event, to be stored under its id. Once per Event; once more only if a tool result or a
   * changed segment arrives after its Event was finished, because the stored Event lacks it.
   */
  readonly onFinalize?: (event: ChatEvent) => void
  readonly runId?: string
  /** Milliseconds. Without a clock all times are 0: the fold itself never reads a clock. */
  readonly now?: () => number
}

/** A text or reasoning segment with its whole current text. */
export interface WholeSegment {
  readonly id: string
  readonly type: 'text' | 'reasoning'
  readonly text: string
}
