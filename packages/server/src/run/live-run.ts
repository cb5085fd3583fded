import type { ApprovalAnswer } from './agent.ts'
import type { Owner } from './owner.ts'

/** A run that somebody in this process feeds: an agent of ours, or a producer's body. */
export interface LiveRun {
  readonly owner: Owner
  /** Feeds the run until it has its end, or until it is let go. Throws what a producer has to be told. */
  feed(): Promise<void>
  /** Somebody asked to stop. Resolves when that is logged; the end follows. */
  stop(by: string | undefined): Promise<void>
  /** An approval's answer is durable: whoever waits for it goes on. */
  wake(approvalId: string, answer: ApprovalAnswer): void
  /** The process is going away: what can end in good order does, the rest is left for the next start. */
  leave(): void
  /** Lets go of the run at once, for this reason, without ending it. */
  cut(reason: Error): void
}
