import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { allParsers, parsers } from '@millrace/core/parse'
import { type CheckedRun, type Counts, createChecks, type Findings, type Step } from './checks.ts'

export type Order = { readonly of: 'start'; readonly run: CheckedRun } | Step | 'end-log' | 'end'

/** Checks that run on a thread or in slices. Each order is awaited before the next. */
export interface Checker {
  push(step: Step): Promise<Counts>
  endLog(): Promise<void>
  end(): Promise<Findings>
  close(): Promise<void>
}

/** The thread has ended: it had too little memory, or its code failed. */
export class CheckFailed extends Error {
  constructor(cause: unknown) {
    super('A verification has failed.', { cause })
  }

  get isTooLarge(): boolean {
    return (this.cause as { readonly code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
  }
}

/** The memory limit of a thread. The fold of the longest run within the budget needs about half. */
const MAX_HEAP_MB = 1024

/** Runs on a thread, unless the run's parser was registered in this process: a thread does not have it. */
export function createChecker(run: CheckedRun): Checker {
  const name = run.format as keyof typeof parsers
  const isAdded = Object.hasOwn(parsers, name)
    ? allParsers()[name] !== parsers[name]
    : Object.hasOwn(allParsers(), name)
  return isAdded ? createSlicedChecker(run) : createThreadChecker(run)
}

interface Thread {
  send<Answer>(order: Order): Promise<Answer>
  end(): Promise<unknown>
}

/** The thread is kept for the next run: starting one takes longer than verifying most runs. */
let idleThread: Thread | undefined
let idleTimer: NodeJS.Timeout | undefined
const IDLE_TIME = 10_000

/** MUST be closed before the next is created: there is one thread. */
function createThreadChecker(run: CheckedRun): Checker {
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
  // An idle thread does not keep the process alive.
  worker.unref()
  // Not a race against one promise of the failure: it would keep every answer as long as the thread lives.
  let failure: CheckFailed | undefined
  let waiting: PromiseWithResolvers<unknown> | undefined
  worker.on('message', (answer) => waiting?.resolve(answer))
  worker.on('error', (error) => {
    failure = new CheckFailed(error)
    waiting?.reject(failure)
  })
  return {
    async send<Answer>(order: Order): Promise<Answer> {
      // It may have failed while no order was awaited.
      if (failure !== undefined) throw failure
      waiting = Promise.withResolvers()
      worker.ref()
      worker.postMessage(order)
      const answer = await waiting.promise
      worker.unref()
      return answer as Answer
    },
    end: () => worker.terminate(),
  }
}

/** Runs in this thread; between two batches the server handles other requests. */
function createSlicedChecker(run: CheckedRun): Checker {
  const checks = createChecks(run)
  return {
    push: (step) => setImmediate(checks.push(step)),
    endLog: () => setImmediate(checks.endLog()),
    end: async () => checks.end(),
    close: async () => {},
  }
}
