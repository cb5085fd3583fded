import type { InputFile } from '@millrace/core/client'

/** A message as it was written. */
export interface Draft {
  readonly text: string
  /** Files that are uploaded. */
  readonly files: readonly InputFile[]
}

/** A message that could not be sent, and is written again. */
export interface Unsent {
  readonly agent?: string
  readonly text: string
  readonly files?: readonly InputFile[]
  /** Why it was not sent, if that is not shown elsewhere. */
  readonly trouble?: string
}

/** What becomes of a message: it starts a run, the agent that runs reads it, or it waits for the run after that. */
export type Delivery = 'run' | 'now' | 'next'

/** The run that is live while a message is written. */
export interface LiveRun {
  /** Whether its agent reads messages while it runs. */
  readonly canSteer: boolean
  /** False if no run follows, because another program sends this one: then nothing can wait for it. */
  readonly canQueue?: boolean
}

/** What Enter does, and what it does with ⌘ or Ctrl. Only a live agent that can be steered leaves a choice. */
export function deliveryOf(live: LiveRun | undefined, preferred: 'now' | 'next', isOther: boolean): Delivery {
  if (live === undefined) return 'run'
  if (!live.canSteer) return 'next'
  if (live.canQueue === false) return 'now'
  const other = preferred === 'now' ? 'next' : 'now'
  return isOther ? other : preferred
}
