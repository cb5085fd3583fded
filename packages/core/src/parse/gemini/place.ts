import type { StreamEvent } from '../../events.ts'
import type { Unanswered } from './unanswered.ts'

/** One candidate's message: where its parts stand, and how they are called. */
export interface Place {
  readonly messageId: string
  /** Begins the ids of all that stands in it. */
  readonly prefix: string
  readonly response: number
  readonly unanswered: Unanswered
}

/** A name for the n-th thing of a kind in a message. */
export type Mint = (kind: string) => string

export function createMint(prefix: string): Mint {
  let count = 0
  return (kind) => `${prefix}:${kind}-${++count}`
}

export const NOTHING: readonly StreamEvent[] = []
