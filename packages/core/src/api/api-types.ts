import type { Outcome } from '../event-fields.ts'
import type { ChatEvent, RunTotals } from '../fold/shapes.ts'
import type { Json } from '../json.ts'

/**
 * The JSON of the HTTP API. The server's routes return these types and the client reads them, so a difference between the
 * two does not compile.
 */

export interface AgentInfo {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly format?: string
}

export interface AgentList {
  readonly agents: readonly AgentInfo[]
}

export interface Health {
  readonly status: 'ok' | 'failing'
  /** Why it is failing. */
  readonly reason?: string
}

export interface ThreadInfo {
  readonly id: string
  readonly title: string
  readonly createdAt?: number
  readonly updatedAt?: number
}

/** How a thread's last run stands. */
export interface LastRun extends Pick<RunInfo, 'id' | 'state' | 'outcome' | 'format' | 'agent' | 'seq'> {
  readonly createdAt: number
  readonly endedAt?: number
  /** An approval of it waits for an answer. */
  readonly asks: boolean
}

export interface ListedThread extends ThreadInfo {
  /** Absent while the thread has no run. */
  readonly lastRun?: LastRun
}

export interface ThreadPage {
  readonly threads: readonly ListedThread[]
  /** Given where there is more: what to ask for next. */
  readonly next?: string
}

/** The totals are there once the server has read the run: in a thread, not in a list. */
export interface RunInfo extends RunTotals {
  readonly id: string
  readonly threadId: string
  readonly state: 'live' | 'waiting' | 'ended'
  /** Of a run that waits for its producer: until when, in ms since the epoch. */
  readonly waitUntil?: number
  readonly outcome?: Outcome
  readonly format?: string
  readonly agent?: string
  readonly attempt?: number
  /** The last entry's number; 0 before the first. */
  readonly seq: number
  readonly rawRecords?: number
  /** The run that this one continues. */
  readonly afterRunId?: string
  /** The run of which this is a subagent's. */
  readonly parentRunId?: string
}

/** A thread's newest runs with what was said in them, as far as it is stored. */
export interface ThreadDetail extends ThreadInfo {
  /** Oldest first. */
  readonly runs: readonly RunInfo[]
  readonly chatEvents: readonly ChatEvent[]
  /** Given where there are older ones: what to ask for next, as `before`. */
  readonly next?: string
}

export interface InputFile {
  readonly id: string
  readonly mediaType: string
  readonly filename?: string
}

/** The output of a tool that the client ran, or why there is none. */
export interface ClientOutput {
  readonly callId: string
  readonly output?: Json
  readonly error?: string
}

/** The input of a run of an agent. */
export interface RunInput {
  readonly text: string
  /** Files that were uploaded before. */
  readonly files?: readonly InputFile[]
  /** Outputs of the calls that the run before left to the client. In the history they have these outputs already. */
  readonly toolOutputs?: readonly ClientOutput[]
}

export interface StartRun {
  /** Default: the server's first. */
  readonly agent?: string
  readonly input: RunInput
  readonly runId?: string
  readonly afterRunId?: string
}

export interface StartedRun {
  readonly runId: string
  readonly threadId: string
}

/** What a stream that was sent to the log has become. */
export interface IngestedRun {
  readonly threadId: string
  readonly runId: string
  readonly rawRecords: number
  readonly entries: number
  readonly outcome?: Outcome
}

export interface StoppedRun {
  readonly runId: string
  /** False if the run had ended already. */
  readonly stopped: boolean
}

export type Answer =
  | { readonly state: 'approved' | 'denied'; readonly message?: string }
  | { readonly state: 'answered'; readonly answer: Json }

export interface UploadedFile extends InputFile {
  readonly size?: number
  readonly url?: string
}

/** Whether what was logged is what was read, what is folded and what is delivered. */
export interface Verification {
  readonly ok: boolean
  /** False if the run was too large to be compared to its end; `ok` is false then as well. */
  readonly isComplete: boolean
  readonly foldHash: string
  readonly deliveredHash: string
  readonly reread: 'same' | 'different' | 'other-parser'
  readonly entries: number
  readonly rawRecords: number
  /** What is wrong, in sentences. */
  readonly problems: readonly string[]
}

/** Which raw records: numbers count from 0, `to` is the one behind the last. `objects` gives their names and numbers too. */
export interface RawQuery {
  readonly from?: number
  readonly to?: number
  readonly shape?: 'text' | 'objects'
}
