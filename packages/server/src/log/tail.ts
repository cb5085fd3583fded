import type { Entry } from '@millrace/core/events'
import { LogError } from './errors.ts'
import type { Log } from './log.ts'

/** Live readers of a log, the same for every member: a commit wakes the waiting readers, never a timer. */

const KEPT_ENTRIES = 512
const KEPT_CHARACTERS = 1_000_000

interface Batch {
  readonly entries: readonly Entry[]
  readonly lastSeq: number
  readonly characters: number
}

/** One run that has readers: its position and its last entries, bounded. */
interface Tail {
  readers: number
  /** Whether the position was read from the store; later commits update it. */
  isHeadRead: boolean
  seq: number
  isEnded: boolean
  isGone: boolean
  /** The error that its readers get. */
  trouble: Error | undefined
  batches: Batch[]
  entries: number
  characters: number
  waiting: Set<() => void>
}

export interface TailOptions {
  /** The run's position in the store. */
  head(runId: string): Promise<{ readonly seq: number; readonly isEnded: boolean } | undefined>
  /** Some of the stored entries after one. Empty only if there are no more. */
  page(runId: string, after: number): Promise<readonly Entry[]>
}

export interface Tails {
  /** Hands durable entries to the run's readers. `characters` is their approximate size. */
  wake(runId: string, entries: readonly Entry[], characters: number): void
  /** Rejects the readers of removed runs; a later run with the same id is another run. */
  forget(runIds: readonly string[]): void
  /** Rejects the readers of a run whose append has failed; later readers get what is stored. */
  cut(runId: string, reason: Error): void
  /** Rejects all current and later readers. */
  fail(reason: Error): void
  read: Log['read']
}

export function createTails({ head, page }: TailOptions): Tails {
  const tails = new Map<string, Tail>()
  let failure: Error | undefined

  function enter(runId: string): Tail {
    const tail = tails.get(runId) ?? newTail()
    tails.set(runId, tail)
    tail.readers++
    return tail
  }

  function leave(runId: string, tail: Tail): void {
    tail.readers--
    if (tail.readers === 0 && tails.get(runId) === tail) tails.delete(runId)
  }

  async function catchUp(runId: string, tail: Tail): Promise<void> {
    if (tail.isHeadRead) return
    const stored = await head(runId)
    if (stored === undefined) throw new LogError('unknown-run', runId)
    // `wake` may have been called meanwhile, with later entries.
    tail.seq = Math.max(tail.seq, stored.seq)
    tail.isEnded ||= stored.isEnded
    tail.isHeadRead = true
  }

  async function stored(runId: string, after: number): Promise<readonly Entry[]> {
    const entries = await page(runId, after)
    // There were entries after this one, so the run has been removed.
    if (entries.length === 0) throw new LogError('unknown-run', runId)
    return entries
  }

  return {
    wake(runId, entries, characters) {
      const tail = tails.get(runId)
      const last = entries.at(-1)
      if (tail === undefined || last === undefined) return
      keep(tail, { entries, lastSeq: last.seq, characters })
      tail.seq = Math.max(tail.seq, last.seq)
      tail.isEnded ||= last.event.type === 'run-end'
      wakeAll(tail)
    },
    forget(runIds) {
      for (const runId of runIds) {
        const tail = tails.get(runId)
        if (tail === undefined) continue
        tails.delete(runId)
        tail.isGone = true
        wakeAll(tail)
      }
    },
    cut(runId, reason) {
      const tail = tails.get(runId)
      if (tail === undefined) return
      tails.delete(runId)
      tail.trouble = reason
      wakeAll(tail)
    },
    fail(reason) {
      failure = reason
      for (const tail of tails.values()) wakeAll(tail)
    },
    async *read(runId, { after, live, signal }) {
      const tail = enter(runId)
      let wakeReader = () => {}
      const onAbort = () => wakeReader()
      signal?.addEventListener('abort', onAbort)
      try {
        let position = after
        if (!signal?.aborted) await catchUp(runId, tail)
        while (!signal?.aborted) {
          if (failure !== undefined) throw failure
          if (tail.isGone) throw new LogError('unknown-run', runId)
          if (tail.trouble !== undefined) throw tail.trouble
          if (position < tail.seq) {
            const entries = recent(tail, position) ?? (await stored(runId, position))
            if (signal?.aborted) return
            position = entries.at(-1)?.seq ?? position
            yield entries
          } else if (!live || tail.isEnded) return
          else {
            const { promise, resolve } = Promise.withResolvers<void>()
            wakeReader = resolve
            tail.waiting.add(resolve)
            await promise
            tail.waiting.delete(resolve)
          }
        }
      } finally {
        signal?.removeEventListener('abort', onAbort)
        leave(runId, tail)
      }
    },
  }
}

const newTail = (): Tail => ({
  readers: 0,
  isHeadRead: false,
  seq: 0,
  isEnded: false,
  isGone: false,
  trouble: undefined,
  batches: [],
  entries: 0,
  characters: 0,
  waiting: new Set(),
})

function wakeAll(tail: Tail): void {
  const { waiting } = tail
  tail.waiting = new Set()
  for (const resolve of waiting) resolve()
}

/** Keeps a batch in memory and drops the oldest ones: a slower reader reads from the store. */
function keep(tail: Tail, batch: Batch): void {
  tail.batches.push(batch)
  tail.entries += batch.entries.length
  tail.characters += batch.characters
  while (tail.entries > KEPT_ENTRIES || tail.characters > KEPT_CHARACTERS) {
    const oldest = tail.batches.shift()
    if (oldest === undefined) return
    tail.entries -= oldest.entries.length
    tail.characters -= oldest.characters
  }
}

/** The next entries from memory. A reader that keeps up gets the commit's own array, without a copy. */
function recent({ batches }: Tail, after: number): readonly Entry[] | undefined {
  let at = batches.length
  while (at > 0 && (batches[at - 1] as Batch).lastSeq > after) at--
  const next = batches[at]
  const first = next?.entries[0]
  if (next === undefined || first === undefined || first.seq > after + 1) return undefined
  return first.seq === after + 1 ? next.entries : next.entries.slice(after + 1 - first.seq)
}
