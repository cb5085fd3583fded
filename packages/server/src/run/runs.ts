import type { IngestedRun, RunInput, RunStatus } from '@millrace/core/api'
import type { Framing } from '@millrace/core/source'
import type { CommandResult, Log, NewCommand, StoredRun } from '../log/log.ts'
import type { Agent, AgentRequest, Agents } from './agent.ts'
import type { BroughtHistory } from './import-history.ts'
import type { KeepFile } from './owner.ts'

export interface StartOptions {
  readonly threadId: string
  readonly agent: string
  readonly input: RunInput
  /** Chosen by the client. */
  readonly runId?: string
  readonly afterRunId?: string
  /** The run whose agent calls this one. The new run continues no other. */
  readonly parentRunId?: string
  /** Continues no run, although the thread has some: the thread's first question is asked again. */
  readonly isFirst?: boolean
  /** Only if no run of the thread is open. */
  readonly isAlone?: boolean
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
  /** What its thread is called if it has no title. By default the run's own words say. */
  readonly title?: string
  /** The name of the file that the body was. */
  readonly file?: string
}

/**
 * Starts, feeds and recovers runs, and does what is asked of them. Several processes may do so over one log: each open
 * run has at most one owner among them, and what is asked of it reaches that owner through the log.
 */
export interface Runs {
  readonly log: Log
  agents(): readonly Agent[]
  start(start: StartOptions): Promise<StoredRun>
  /** Logs the messages of a conversation that began elsewhere as a run of their own, which has ended. */
  importHistory(history: BroughtHistory): Promise<StoredRun>
  /**
   * Logs a producer's stream while it arrives. Resolves when the body has ended cleanly and the run with it. If the
   * body is interrupted, the partial record is dropped and the run waits for its producer.
   */
  ingest(options: IngestOptions, body: AsyncIterable<Uint8Array>): Promise<IngestedRun>
  /**
   * Asks something of the run. Resolves with the result; without one if no owner has settled the command in time: it is
   * stored, and will be settled.
   */
  tell(runId: string, command: NewCommand): Promise<ToldCommand>
  /** Whether an approval of the run waits for an answer. Cheap enough for every run of a list. */
  isAsking(run: StoredRun): Promise<boolean>
  /** Calls the listener with each new status of the run, until the returned function is called. */
  onStatus(runId: string, listener: (status: RunStatus) => void): () => void
  /** Sends the run's commands to a producer: steering is refused for a producer that nobody sends them to. */
  follow(runId: string): Promise<() => void>
  /** Decides about the runs that an earlier process left open. Called once, first of all. */
  recover(): Promise<void>
  /** What this node feeds at the moment. */
  load(): RunLoad
  /**
   * From now on no run begins here: `start` and `ingest` refuse new runs as `draining`, and queued runs are left to
   * another node. Everything about existing runs goes on.
   */
  drain(): void
  /**
   * Asks the server's agents to stop and leaves all other runs to another node. Resolves when every agent has run its
   * `finally`, or `stopWithin` has passed.
   */
  close(): Promise<void>
}

export interface RunLoad {
  /** Runs of this server's agents. */
  readonly agents: number
  /** Runs whose producer is elsewhere. */
  readonly producers: number
  /** Bodies of producers that are being read, also those that only repeat an ended run. */
  readonly bodies: number
}

export interface ToldCommand {
  readonly number: number
  readonly result?: CommandResult
}

export interface RunsOptions {
  readonly log: Log
  readonly agents: Agents
  /** Reads an uploaded file for an agent. Without it there is none. */
  readonly readFile?: AgentRequest['file']
  /** Holds a folder for each thread whose agent works in one. Default: `.millrace/work` in the working folder. */
  readonly workFolder?: string
  /** Stores the files of runs that are too large for an event. Without it, a run with such a file fails. */
  readonly keepFile?: KeepFile
  /** How long an ingested run waits for its producer, in ms; default 60,000. */
  readonly resumeWithin?: number
  /** How long an agent may continue after it was asked to stop, in ms; default 5,000. */
  readonly stopWithin?: number
  /** How long a request waits until its command is settled, in ms; default 15,000. */
  readonly settleWithin?: number
  readonly sleep?: Sleep
  /** Milliseconds; default: the machine's clock. */
  readonly now?: () => number
  /** Called with errors that no caller gets, such as a log that refuses an append; default: stderr. */
  readonly report?: (error: unknown, runId: string) => void
}

/** Resolves after the time; rejects as soon as the signal fires. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>
