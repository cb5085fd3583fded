import type { IngestedRun, RunInput } from '@millrace/core/api/api-types'
import type { RunStatus } from '@millrace/core/api/run-status'
import type { Framing } from '@millrace/core/source'
import type { Log, StoredRun } from '../log/log.ts'
import type { Agent, ApprovalAnswer } from './agent.ts'

export interface StartOptions {
  readonly threadId: string
  readonly agent: string
  readonly input: RunInput
  /** Preallocated by the client. */
  readonly runId?: string
  readonly afterRunId?: string
  /** Continues nothing, though the thread has runs: its first question is asked anew. */
  readonly isFirst?: boolean
  readonly idempotencyKey?: string
  /** Of what was asked under the key: the same key for another request is refused. */
  readonly requestHash?: string
  /** The client's message that the run goes on with, where that was begun by an earlier run. */
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
  /** How records are laid out in the body; as in the run's first body, whose first bytes settle it, unless given. */
  readonly framing?: Framing
}

/** All runs of this process: starts, feeds, stops and recovers them. Each live run has one owner here. */
export interface Runs {
  readonly log: Log
  agents(): readonly Agent[]
  start(start: StartOptions): Promise<StoredRun>
  /**
   * Logs a producer's stream while it arrives. Resolves when the body has ended cleanly and the run with it. Where the
   * body breaks off, the partial record is dropped and the run waits for its producer.
   */
  ingest(options: IngestOptions, body: AsyncIterable<Uint8Array>): Promise<IngestedRun>
  /** Asks the run to stop; logged. False where it has ended already. */
  stop(runId: string, by?: string): Promise<boolean>
  /** Answers an approval; logged. `not-asked` where nobody waits for it. */
  answer(runId: string, approvalId: string, answer: ApprovalAnswer): Promise<'answered' | 'not-asked'>
  /** Whether an approval of the run waits for an answer. Cheap enough to be asked for every run of a list. */
  isAsking(run: StoredRun): Promise<boolean>
  /** Calls the listener whenever a run of the thread begins or goes on here, until what it gives back is called. */
  onBegin(threadId: string, listener: () => void): () => void
  /** How a run stands, and until when its producer is waited for; undefined if it has ended. */
  status(run: Pick<StoredRun, 'id' | 'state'>): RunStatus | undefined
  /** Calls the listener with each new status of the run, until the returned function is called. */
  onStatus(runId: string, listener: (status: RunStatus) => void): () => void
  /** Closes or resumes what an earlier process left open. Called once, before anything else. */
  recover(): Promise<void>
  /** Ends cleanly: own agents are told to stop, what is durable stays. */
  close(): Promise<void>
}

export interface RunsOptions {
  readonly log: Log
  readonly agents: readonly Agent[]
  /** How long an ingested run waits for its producer, in ms; default 60,000. */
  readonly resumeWithin?: number
  /** How long an agent that was told to stop may go on, in ms; default 5,000. */
  readonly stopWithin?: number
  readonly sleep?: Sleep
  /** Milliseconds; default: the machine's clock. */
  readonly now?: () => number
  /** Told of what went wrong where nobody waits for an answer, such as a log that refuses an append; default: stderr. */
  readonly report?: (error: unknown, runId: string) => void
}

/** Resolves after so many milliseconds; rejects as soon as the signal fires. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>
