import type { EntryLines } from './entry-lines.ts'
import type { Log } from './log.ts'

export interface TailOptions {
  /** The run's position in the store. */
  head(runId: string): Promise<{ readonly seq: number; readonly isEnded: boolean } | undefined>
  /** Some of the stored entries after one. Empty only if there are no more. */
  page(runId: string, after: number): Promise<EntryLines>
  /**
   * Called when a run gets its first reader; the returned function when it has lost its last. Without it nobody else writes
   * the store.
   */
  follow?(runId: string): () => void
}

export interface Tails {
  /** Hands durable entries to the run's readers. `isEnd` says whether the last of them ends the run. */
  wake(runId: string, added: EntryLines, isEnd: boolean): void
  /**
   * Another process may have added entries up to `seq`, and here are some of them, as they are stored. It is a hint, which may
   * be late, doubled or wrong: lines are used if they follow what is known, and otherwise the store is asked.
   */
  grown(runId: string, seq: number, isEnd: boolean, lines?: EntryLines): void
  /** The runs that have readers. */
  runIds(): readonly string[]
  /** Rejects the readers of removed runs; a later run with the same id is another run. */
  forget(runIds: readonly string[]): void
  /** Rejects the readers of a run whose append has failed; later readers get what is stored. */
  cut(runId: string, reason: Error): void
  /** Rejects all current and later readers. */
  fail(reason: Error): void
  lines: Log['lines']
  read: Log['read']
}
