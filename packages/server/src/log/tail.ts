import type { EntryLines } from './entry-lines.ts'
import { LogError } from './errors.ts'
import type { TailOptions, Tails } from './tail-contract.ts'
import { TailReader, type TailSource } from './tail-reader.ts'
import { keep, newTail, type Tail, wakeAll } from './tail-state.ts'

/** Live readers of a log, the same for every member: a commit wakes the waiting readers, never a timer. */

export function createTails({ head, page, follow }: TailOptions): Tails {
  const tails = new Map<string, Tail>()
  let failure: Error | undefined
  let due: Tail[] = []

  /** After the next appends were handed over: the store works while readers do. */
  function wakeSoon(tail: Tail): void {
    tail.isDue = true
    if (due.push(tail) > 1) return
    setImmediate(() => {
      const woken = due
      due = []
      for (const each of woken) wakeAll(each)
    })
  }

  const source: TailSource = {
    isShared: follow !== undefined,
    enter(runId) {
      const tail = tails.get(runId) ?? newTail(follow?.(runId))
      tails.set(runId, tail)
      tail.readers++
      return tail
    },
    leave(runId, tail) {
      tail.readers--
      if (tail.readers === 0 && tails.get(runId) === tail) remove(runId)
    },
    async catchUp(runId, tail) {
      const { hints } = tail
      const stored = await head(runId)
      if (stored === undefined) throw new LogError('unknown-run', runId)
      const isMore = stored.seq > tail.seq || (stored.isEnded && !tail.isEnded)
      // `wake` may have been called meanwhile, with later entries.
      tail.seq = Math.max(tail.seq, stored.seq)
      tail.isEnded ||= stored.isEnded
      // The hint that they wait for may come later, and is nothing new then.
      if (isMore) wakeSoon(tail)
      // A hint that came meanwhile may be about something later.
      tail.isHeadRead = tail.hints === hints
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
    tail?.unfollow?.()
    return tail
  }

  function wake(tail: Tail, added: EntryLines, isEnd: boolean): void {
    keep(tail, added)
    tail.seq = Math.max(tail.seq, added.after + added.lines.length)
    tail.isEnded ||= isEnd
    wakeSoon(tail)
  }

  return {
    wake(runId, added, isEnd) {
      const tail = tails.get(runId)
      if (tail !== undefined && added.lines.length > 0) wake(tail, added, isEnd)
    },
    grown(runId, seq, isEnd, lines) {
      const tail = tails.get(runId)
      if (tail === undefined || (seq <= tail.seq && (!isEnd || tail.isEnded))) return
      const isNext = tail.isHeadRead && lines !== undefined && lines.after <= tail.seq
      const next = isNext ? lines.behind(tail.seq) : undefined
      if (next !== undefined && next.lines.length > 0 && next.after + next.lines.length === seq) wake(tail, next, isEnd)
      else {
        tail.isHeadRead = false
        tail.hints++
        wakeSoon(tail)
      }
    },
    runIds: () => [...tails.keys()],
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
    lines: (runId, options) => new TailReader(source, runId, options, linesThemselves),
    read: (runId, options) => new TailReader(source, runId, options, entriesIn),
  }
}

const linesThemselves = (lines: EntryLines) => lines
const entriesIn = (lines: EntryLines) => lines.entries()
