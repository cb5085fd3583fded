import { setTimeout } from 'node:timers/promises'
import { createFold, type RunSnapshot, runDigestOf, SEARCH_VERSION, searchTextsOf } from '@millrace/core/fold'
import { LogError } from '../log/errors.ts'
import type { Log } from '../log/log.ts'
import { FIRST_PAUSE, nextPause } from './retry-pauses.ts'

/** Makes the texts of ended runs searchable, and their digests, in the background: a run is found a moment after its end. */
export interface TextIndex {
  /** A run has ended. */
  add(runId: string): void
  /** Looks for runs that have ended without it: in an earlier release, or as a process died. */
  catchUp(): void
  /** Resolves when nothing more is read or written. */
  close(): Promise<void>
}

export interface TextIndexOptions {
  readonly log: Log
  readonly report: (error: unknown, runId: string) => void
}

/** How many runs a look lists. */
const PAGE = 50

/** How often it looks for runs that other processes have left, in ms. */
const LOOK_EVERY = 60_000

export function createTextIndex({ log, report }: TextIndexOptions): TextIndex {
  const closing = new AbortController()
  const { signal } = closing
  const ended = new Set<string>()
  let work: Promise<void> | undefined
  let isLookDue = false

  const sleep = (milliseconds: number) => setTimeout(milliseconds, undefined, { signal, ref: false })

  /** One run at a time: nobody waits for it. */
  async function workOff(): Promise<void> {
    while (!signal.aborted) {
      const [runId] = ended
      if (runId !== undefined) {
        await index(runId)
        ended.delete(runId)
      } else if (isLookDue) {
        const found = await log.unindexed(SEARCH_VERSION, PAGE)
        for (const each of found) ended.add(each)
        isLookDue = found.length > 0
      } else return
    }
  }

  /** Tries again while the log is in trouble. A run whose texts cannot be made is not tried again: it would be found for ever. */
  async function index(runId: string): Promise<void> {
    for (let pause = FIRST_PAUSE; ; pause = nextPause(pause)) {
      try {
        const made = await madeOf(log, runId, signal).catch((error: unknown) => {
          if (error instanceof LogError || signal.aborted) throw error
          report(error, runId)
          return { texts: [], digest: undefined }
        })
        return await log.index(runId, made.texts, SEARCH_VERSION, made.digest)
      } catch (error) {
        // It was deleted meanwhile.
        if (error instanceof LogError && error.code === 'unknown-run') return
        if (pause === FIRST_PAUSE && !signal.aborted) report(error, runId)
        await sleep(pause)
      }
    }
  }

  function start(): void {
    work ??= workOff()
      .catch((error: unknown) => {
        if (!signal.aborted) report(error, '')
      })
      .finally(() => {
        work = undefined
      })
  }

  async function lookAgain(): Promise<void> {
    for (;;) {
      await sleep(LOOK_EVERY)
      isLookDue = true
      start()
    }
  }

  return {
    add(runId) {
      ended.add(runId)
      start()
    },
    catchUp() {
      isLookDue = true
      start()
      // Ends when this closes.
      lookAgain().catch(() => undefined)
    },
    async close() {
      closing.abort()
      await work
    },
  }
}

const madeFrom = (run: RunSnapshot) => ({ texts: searchTextsOf(run.chatEvents), digest: runDigestOf(run) })

async function madeOf(log: Log, runId: string, signal: AbortSignal): Promise<ReturnType<typeof madeFrom>> {
  const fold = createFold({ runId })
  for await (const entries of log.read(runId, { after: 0, live: false, signal })) fold.push(entries)
  signal.throwIfAborted()
  return madeFrom(fold.snapshot())
}
