import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { allParsers, parsers } from '@millrace/core/parse'
import { type CheckedRun, type Counts, createChecks, type Findings, type Step } from './checks.ts'

export type Order = { readonly of: 'start'; readonly run: CheckedRun } | Step | 'end-log' | 'end'

/** Checks that run elsewhere, or a little at a time. One order at a time: each is awaited before the next. */
export interface Checker {
  push(step: Step): Promise<Counts>
  endLog(): Promise<void>
  end(): Promise<Findings>
  close(): Promise<void>
}

/** The thread has ended: it had too little memory, or there is a fault in it. */
export class CheckFailed extends Error {
  constructor(cause: unknown) {
    super('A verification has failed.', { cause })
  }

  get isTooLarge(): boolean {
    return (this.cause as { readonly code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
  }
}

/** What a thread may take. The fold of the longest run that the budget lets through needs about half. */
const MAX_HEAP_MB = 1024

/** On a thread of its own, unless the run's parser was added to this process: a thread does not have it. */
export function createChecker(run: CheckedRun): Checker {
  const name = run.format as keyof typeof parsers
  const isAdded = Object.hasOwn(parsers, name)
    ? allParsers()[name] !== parsers[name]
    : Object.hasOwn(allParsers(), name)
  return isAdded ? inSlices(run) : onThread(run)
}

interface Thread {
  send<Answer>(order: Order): Promise<Answer>
  end(): Promise<unknown>
}

/** The thread that is kept for the next run: to start one takes longer than to verify most runs. */
let idleThread: Thread | undefined
let idleTimer: NodeJS.Timeout | undefined
const IDLE_TIME = 10_000

/** MUST be closed before the next is created: there is one thread. */
function onThread(run: CheckedRun): Checker {
  clearTimeout(idleTimer)
  const thread = idleThread ?? startThread()
  idleThread = undefined
  const started = thread.send<void>({ of: 'start', run })
  let isDone = false
  async function send<Answer>(order: Order): Promise<Answer> {
    await started
    return thread.send<Answer>(order)
  }
  return {
    push: send<Counts>,
    endLog: () => send<void>('end-log'),
    async end() {
      const findings = await send<Findings>('end')
      isDone = true
      return findings
    },
    async close() {
      await started.catch(() => {})
      if (!isDone) return void (await thread.end())
      idleThread = thread
      idleTimer = setTimeout(() => {
        idleThread = undefined
        void thread.end()
      }, IDLE_TIME).unref()
    },
  }
}

function startThread(): Thread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  // Nothing waits for the end of a thread that has nothing to do.
  worker.unref()
  const failure = new Promise<never>((_, reject) => {
    worker.once('error', (error) => reject(new CheckFailed(error)))
  })
  // It may fail while nothing is awaited; the next order says so.
  failure.catch(() => {})
  return {
    async send<Answer>(order: Order): Promise<Answer> {
      worker.ref()
      worker.postMessage(order)
      const [answer] = await Promise.race([once(worker, 'message').catch(() => failure), failure])
      worker.unref()
      return answer as Answer
    },
    end: () => worker.terminate(),
  }
}

/** Between two batches the server answers others. */
function inSlices(run: CheckedRun): Checker {
  const checks = createChecks(run)
  return {
    push: (step) => setImmediate(checks.push(step)),
    endLog: () => setImmediate(checks.endLog()),
    end: async () => checks.end(),
    close: async () => {},
  }
}
