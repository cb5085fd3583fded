import type { EntryLines } from './entry-lines.ts'
import { LogError } from './errors.ts'
import type { Log } from './log.ts'
import { TailReader, type TailSource } from './tail-reader.ts'
import { keep, newTail, type Tail, wakeAll } from './tail-state.ts'

/** Live readers of a log, the same for every member: a commit wakes the waiting readers, never a timer. */

export interface TailOptions {
  /** The run's position in the store. */
  head(runId: string): Promise<{ readonly seq: number; readonly isEnded: boolean } | undefined>
  /** Some of the stored entries after one. Empty only if there are no more. */
  page(runId: string, after: number): Promise<EntryLines>
}

export interface Tails {
  /** Hands durable entries to the run's readers. `isEnd` says whether the last of them ends the run. */
  wake(runId: string, added: EntryLines, isEnd: boolean): void
  /** Rejects the readers of removed runs; a later run with the same id is another run. */
  forget(runIds: readonly string[]): void
  /** Rejects the readers of a run whose append has failed; later readers get what is stored. */
  cut(runId: string, reason: Error): void
  /** Rejects all current and later readers. */
  fail(reason: Error): void
  lines: Log['lines']
  read: Log['read']
}

export function createTails({ head, page }: TailOptions): Tails {
  const tails = new Map<string, Tail>()
  let failure: Error | undefined
  let due: Tail[] = []

  /** After the next appends were handed over: the store works while readers do. */
  function wakeSoon(tail: Tail): void {
    if (due.push(tail) > 1) return
    setImmediate(() => {
      const woken = due
      due = []
      for (const each of woken) wakeAll(each)
    })
  }

  const source: TailSource = {
    enter(runId) {
      const tail = tails.get(runId) ?? newTail()
      tails.set(runId, tail)
      tail.readers++
      return tail
    },
    leave(runId, tail) {
      tail.readers--
      if (tail.readers === 0 && tails.get(runId) === tail) tails.delete(runId)
    },
    async catchUp(runId, tail) {
      const stored = await head(runId)
      if (stored === undefined) throw new LogError('unknown-run', runId)
      // `wake` may have been called meanwhile, with later entries.
      tail.seq = Math.max(tail.seq, stored.seq)
      tail.isEnded ||= stored.isEnded
      tail.isHeadRead = true
    },
    check(runId, tail) {
      if (failure !== undefined) throw failure
      if (tail.isGone) throw new LogError('unknown-run', runId)
      if (tail.trouble !== undefined) throw tail.trouble
    },
    async stored(runId, after) {
      const found = await page(runId, after)
      // There were entries after this one, so the run has been removed.
      if (found.lines.length === 0) throw new LogError('unknown-run', runId)
      return found
    },
  }

  function remove(runId: string): Tail | undefined {
    const tail = tails.get(runId)
    tails.delete(runId)
    return tail
  }

  return {
    wake(runId, added, isEnd) {
      const tail = tails.get(runId)
      if (tail === undefined || added.lines.length === 0) return
      keep(tail, added)
      tail.seq = Math.max(tail.seq, added.after + added.lines.length)
      tail.isEnded ||= isEnd
      wakeSoon(tail)
    },
    forget(runIds) {
      for (const runId of runIds) {
        const tail = remove(runId)
        if (tail === undefined) continue
        tail.isGone = true
        wakeAll(tail)
      }
    },
    cut(runId, reason) {
      const tail = remove(runId)
      if (tail === undefined) return
      tail.trouble = reason
      wakeAll(tail)
    },
    fail(reason) {
      failure = reason
      for (const tail of tails.values()) wakeAll(tail)
    },
    lines: (runId, options) => new TailReader(source, runId, options, (lines) => lines),
    read: (runId, options) => new TailReader(source, runId, options, (lines) => lines.entries()),
  }
}
