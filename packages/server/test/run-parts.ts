import type { Entry } from '@millrace/core/entry'
import type { StreamEvent } from '@millrace/core/events'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import type { Agent, AgentHost, AgentRequest } from '../src/run/agent.ts'
import { createRuns } from '../src/run/create-runs.ts'
import type { Runs, Sleep } from '../src/run/runs.ts'

let time = 1_000_000

/** The time of every log that `openLog` has opened. */
export const timeOfLogs = (): number => time

/** A memory log whose clock advances by one second with each reading, and with the sleeps that the test ends. */
export function openLog(): Promise<Log> {
  return memory.open({ folder: '', now: () => (time += 1000) })
}

export async function entriesOf(log: Log, runId: string): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const entries of log.read(runId, { after: 0, live: false })) all.push(...entries)
  return all
}

export async function eventsOf(log: Log, runId: string): Promise<StreamEvent[]> {
  return (await entriesOf(log, runId)).map(({ event }) => event)
}

/** Entries without their times, the only difference between two logs of one run. */
export async function timeless(log: Log, runId: string): Promise<Omit<Entry, 'at'>[]> {
  return (await entriesOf(log, runId)).map(({ at: _at, ...entry }) => entry)
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export const lineOf = (type: string, data: object = {}): string => `${JSON.stringify({ type, data })}\n`

export const textLine = (content: string): string => lineOf('text', { content })

export async function* bodyOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? bytesOf(chunk) : chunk
}

/** A body whose connection fails after these chunks. */
export async function* brokenBody(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  yield* bodyOf(...chunks)
  throw new Error('socket hang up')
}

/** Bytes that the test sends. */
export interface Pipe extends AsyncIterable<Uint8Array> {
  write(text: string): void
  end(): void
  isAbandoned(): boolean
}

export function createPipe(): Pipe {
  const chunks: Uint8Array[] = []
  let wake = Promise.withResolvers<void>()
  let isEnded = false
  let isAbandoned = false
  return {
    write(text) {
      chunks.push(bytesOf(text))
      wake.resolve()
    },
    end() {
      isEnded = true
      wake.resolve()
    },
    isAbandoned: () => isAbandoned,
    [Symbol.asyncIterator]: () => ({
      async next() {
        while (chunks.length === 0 && !isEnded) {
          await wake.promise
          wake = Promise.withResolvers()
        }
        const value = chunks.shift()
        return value === undefined ? { done: true, value: undefined } : { done: false, value }
      },
      async return() {
        isAbandoned = true
        return { done: true, value: undefined }
      },
    }),
  }
}

/** Sleeps that the test ends. */
export interface Sleeper {
  readonly sleep: Sleep
  readonly slept: readonly number[]
  /** The number of sleeps that have not been aborted. */
  sleeping(): number
  wakeAll(): void
}

export function createSleeper(): Sleeper {
  const wakers = new Map<() => void, number>()
  const slept: number[] = []
  return {
    slept,
    sleep(milliseconds, signal) {
      slept.push(milliseconds)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      if (signal.aborted) reject(signal.reason)
      wakers.set(resolve, milliseconds)
      signal.addEventListener('abort', () => {
        wakers.delete(resolve)
        reject(signal.reason)
      })
      return promise
    },
    sleeping: () => wakers.size,
    wakeAll() {
      time += Math.max(0, ...wakers.values())
      for (const wake of wakers.keys()) wake()
      wakers.clear()
    },
  }
}

/** The runs of a process with one agent, a memory log and sleeps that the test ends. */
export async function createAgentRuns(agent: Agent) {
  const log = await openLog()
  const sleeper = createSleeper()
  const { report, reports } = createReports()
  const runs = createRuns({ log, agents: [agent], sleep: sleeper.sleep, report })
  return { log, runs, sleeper, reports }
}

/** Sends until it is asked to stop, then sends a last text. */
export const obedientAgent = agentOf(async function* ({ signal }) {
  yield bytesOf(textLine('Working. '))
  if (!signal.aborted) await aborted(signal)
  yield bytesOf(textLine('Bye.'))
})

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()))

/** Runs pending microtasks and I/O until the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2000; turn++) {
    if (await condition()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('The condition was never met.')
}

export const isEnded = (log: Log, runId: string) => async (): Promise<boolean> =>
  (await log.run(runId))?.state === 'ended'

export function agentOf(
  run: (request: AgentRequest, host: AgentHost) => AsyncIterable<Uint8Array>,
  name = 'tester',
): Agent {
  return { name, title: name, format: 'agent-lines', framing: 'json-lines', run }
}

/** Collects reports, so that a test can expect none. */
export function createReports(): { readonly report: (error: unknown) => void; readonly reports: readonly unknown[] } {
  const reports: unknown[] = []
  return { reports, report: (error) => void reports.push(error) }
}

/** The refusal that a promise rejects with. */
export async function refusalOf(promise: Promise<unknown>): Promise<{ code: unknown; rawRecords: unknown }> {
  try {
    await promise
  } catch (error) {
    const { code, rawRecords } = error as { code?: unknown; rawRecords?: unknown }
    return { code, rawRecords }
  }
  throw new Error('It was not refused.')
}

/** The first act of a process that finds the runs of others which have died. */
export async function recoverAfterCrash(runs: Runs): Promise<void> {
  for (const { owner } of await runs.log.openRuns()) if (owner !== undefined) await runs.log.leave(owner)
  await runs.recover()
}
