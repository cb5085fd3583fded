import type { IngestedRun, RunInput, RunStatus } from '@millrace/core/api'
import type { Framing } from '@millrace/core/source'
import type { Log, StoredRun } from '../log/log.ts'
import type { Agent, ApprovalAnswer } from './agent.ts'
import type { KeepFile } from './owner.ts'

export interface StartOptions {
  readonly threadId: string
  readonly agent: string
  readonly input: RunInput
  /** Chosen by the client. */
  readonly runId?: string
  readonly afterRunId?: string
  /** Continues no run, although the thread has some: the thread's first question is asked again. */
  readonly isFirst?: boolean
  readonly idempotencyKey?: string
  /** Hash of the request under the key: the same key with another hash is refused. */
  readonly requestHash?: string
  /** The client's message that the run continues, if an earlier run began it. */
  readonly messageId?: string
}

export interface IngestOptions {
  readonly format: string
  readonly threadId?: string
  readonly runId?: string
  /** Default 1. A higher one fences the lower. */
  readonly attempt?: number
  /** The number of the body's first raw record, from 0. */
  readonly line?: number
  /** How records are laid out in the body. Default: as in the run's first body, whose first bytes decide. */
  readonly framing?: Framing
}

/** Starts, feeds, stops and recovers the runs of this process. Each live run has one owner. */
export interface Runs {
  readonly log: Log
  agents(): readonly Agent[]
  start(start: StartOptions): Promise<StoredRun>
  /**
   * Logs a producer's stream while it arrives. Resolves when the body has ended cleanly and the run with it. If the
   * body is interrupted, the partial record is dropped and the run waits for its producer.
   */
  ingest(options: IngestOptions, body: AsyncIterable<Uint8Array>): Promise<IngestedRun>
  /** Asks the run to stop; logged. Resolves with false if the run has ended. */
  stop(runId: string, by?: string): Promise<boolean>
  /** Answers an approval; logged. Resolves with `not-asked` if the approval is not open. */
  answer(runId: string, approvalId: string, answer: ApprovalAnswer): Promise<'answered' | 'not-asked'>
  /** Whether an approval of the run waits for an answer. Cheap enough for every run of a list. */
  isAsking(run: StoredRun): Promise<boolean>
  /** Calls the listener when a run of the thread begins or resumes here, until the returned function is called. */
  onBegin(threadId: string, listener: () => void): () => void
  /** The run's status, with the time until which it waits for its producer. Returns undefined if it has ended. */
  status(run: Pick<StoredRun, 'id' | 'state'>): RunStatus | undefined
  /** Calls the listener with each new status of the run, until the returned function is called. */
  onStatus(runId: string, listener: (status: RunStatus) => void): () => void
  /** Ends the runs that an earlier process left open, or waits for their producers. Called once, first of all. */
  recover(): Promise<void>
  /**
   * Asks the server's agents to stop and releases all other runs. Resolves when every agent has run its `finally`, or
   * `stopWithin` has passed.
   */
  close(): Promise<void>
}

export interface RunsOptions {
  readonly log: Log
  readonly agents: readonly Agent[]
  /** Stores the files of runs that are too large for an event. Without it, a run with such a file fails. */
  readonly keepFile?: KeepFile
  /** How long an ingested run waits for its producer, in ms; default 60,000. */
  readonly resumeWithin?: number
  /** How long an agent may continue after it was asked to stop, in ms; default 5,000. */
  readonly stopWithin?: number
  readonly sleep?: Sleep
  /** Milliseconds; default: the machine's clock. */
  readonly now?: () => number
  /** Called with errors that no caller gets, such as a log that refuses an append; default: stderr. */
  readonly report?: (error: unknown, runId: string) => void
}

/** Resolves after the time; rejects as soon as the signal fires. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>
