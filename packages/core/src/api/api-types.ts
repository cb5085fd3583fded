import type { Outcome } from '../event-fields.ts'
import type { RunDigest } from '../fold/run-digest.ts'
import type { ChatEvent, RunTotals } from '../fold/shapes.ts'
import type { Json, JsonObject } from '../json.ts'

/**
 * The JSON of the HTTP API. The server's routes return these types and the client reads them, so a difference between
 * the two does not compile.
 */

export interface Health {
  readonly status: 'ok' | 'failing'
  /** Why the server is failing. */
  readonly reason?: string
}

/** Whether the server takes new runs; `Health` says only whether it works. */
export interface Readiness {
  /** `draining`: it is about to stop. */
  readonly status: 'ready' | 'draining' | 'failing'
  /** Why the server is failing. */
  readonly reason?: string
}

export interface ThreadInfo {
  readonly id: string
  readonly title: string
  readonly createdAt?: number
  readonly updatedAt?: number
}

/** The state of a thread's last run. */
export interface LastRun extends Pick<RunInfo, 'id' | 'state' | 'outcome' | 'format' | 'agent' | 'seq'> {
  readonly createdAt: number
  readonly endedAt?: number
  /** Whether an approval of the run waits for an answer. */
  readonly asks: boolean
  /** A moment after its end: the run in a few numbers. */
  readonly digest?: RunDigest
}

export interface ListedThread extends ThreadInfo {
  /** Absent while the thread has no run. */
  readonly lastRun?: LastRun
}

export interface ThreadPage {
  readonly threads: readonly ListedThread[]
  /** The cursor of the next page; absent on the last page. */
  readonly next?: string
}

/** The totals are present if the server has read the run: in a thread, not in a list. */
export interface RunInfo extends RunTotals {
  readonly id: string
  readonly threadId: string
  readonly state: 'live' | 'waiting' | 'ended'
  /** When the wait for the run's producer ends, in ms since the epoch; absent unless the run waits. */
  readonly waitUntil?: number
  readonly outcome?: Outcome
  readonly format?: string
  /** How its records were laid out. */
  readonly framing?: string
  readonly agent?: string
  readonly attempt?: number
  /** The number of the last entry; 0 before the first. */
  readonly seq: number
  readonly rawRecords?: number
  /** The run that this one continues. */
  readonly afterRunId?: string
  /** The run whose subagent this run belongs to. */
  readonly parentRunId?: string
  /** When the run was created, by the server's clock. */
  readonly createdAt?: number
  /** Whether an approval of the run waits for an answer; present in a thread's stream. */
  readonly asks?: boolean
}

/** A thread with all its runs, oldest first, without their chat events. */
export interface ThreadOverview {
  readonly thread: ThreadInfo
  readonly runs: readonly RunInfo[]
}

/**
 * The server-sent events of a thread's stream, by name. The first is `thread`; another follows if the title changes.
 * `run`: a run has begun, or its state has changed. After `deleted` the stream ends.
 */
export interface ThreadStreamEvents {
  readonly thread: ThreadOverview
  readonly run: RunInfo
  readonly deleted: { readonly id: string }
}

/**
 * The server-sent events of the list's stream, by name. The first is `threads`, the first page; another replaces it.
 * `thread`: a thread is new or has changed, or is too old for the page and has a run that has not ended.
 */
export interface ThreadListStreamEvents {
  readonly threads: ThreadPage
  readonly thread: ListedThread
  readonly deleted: { readonly id: string }
}

/** A thread's newest runs with their chat events, as far as they are stored. */
export interface ThreadDetail extends ThreadInfo {
  /** Oldest first. */
  readonly runs: readonly RunInfo[]
  readonly chatEvents: readonly ChatEvent[]
  /** The `before` of the next request; absent if there are no older runs. */
  readonly next?: string
}

export interface InputFile {
  readonly id: string
  readonly mediaType: string
  readonly filename?: string
}

/** The output of a tool that the client ran, or the reason why there is none. */
export interface ClientOutput {
  readonly callId: string
  readonly output?: Json
  readonly error?: string
  /** The client's own id of the message that holds the output. */
  readonly clientId?: string
}

/** The current branch of a thread as the client of a wire holds it. */
export interface ThreadHistory extends ThreadInfo {
  /** The runs that were read, up to their `seq`, oldest first. */
  readonly runs: readonly RunInfo[]
  readonly wire: string
  /** In the shape of the wire's client, with the ids of the stream. */
  readonly messages: readonly JsonObject[]
  /** What `before` is for the older messages. */
  readonly next?: string
}

/** A message as a row of a table: an answer has what the run showed in `metadata`, as lines and as one text. */
export interface StoredMessage {
  /** Of a question the client's own id, if it sent one; of an answer the id of its run. */
  readonly id: string
  readonly chatId: string
  readonly role: 'user' | 'assistant'
  readonly content: string
  /** `processing`, `thinking` and `truncated`, those that there are. */
  readonly metadata: JsonObject
}

/** The current branch of a thread as rows. */
export interface ThreadRows extends ThreadInfo {
  readonly rows: readonly StoredMessage[]
  /** What `before` is for the older rows. */
  readonly next?: string
}

/** The input of a run of an agent. */
export interface RunInput {
  readonly text: string
  /** The client's own id of the message, by which it recognizes the message when it loads the conversation. */
  readonly clientId?: string
  /** Files that were uploaded before. */
  readonly files?: readonly InputFile[]
  /** Outputs of the calls that the previous run left to the client. The history already contains them. */
  readonly toolOutputs?: readonly ClientOutput[]
  /** What the client sent beside its message, as it sent it: context, state, settings, tools. Logged with the message. */
  readonly client?: JsonObject
}

export interface StartRun {
  /** Default: the server's first agent. */
  readonly agent?: string
  readonly input: RunInput
  readonly runId?: string
  /** The run that it continues. Default: the thread's newest. `null`: none, it begins the conversation anew. */
  readonly afterRunId?: string | null
}

export interface StartedRun {
  readonly runId: string
  readonly threadId: string
}

/** The run that an ingested stream has become. */
export interface IngestedRun {
  readonly threadId: string
  readonly runId: string
  readonly rawRecords: number
  readonly entries: number
  readonly outcome?: Outcome
}

export type Answer =
  | ApprovedAnswer
  | { readonly state: 'denied'; readonly message?: string }
  | { readonly state: 'answered'; readonly answer: Json }

interface ApprovedAnswer {
  readonly state: 'approved'
  readonly message?: string
  /** The approval is valid for calls like this one until the session ends. */
  readonly remember?: 'session'
  /** The input that is approved in place of the call's own. */
  readonly input?: Json
}

export interface UploadedFile extends InputFile {
  readonly size?: number
  readonly url?: string
}

/** Whether the log agrees with the raw records, the fold and the delivered entries. */
export interface Verification {
  readonly ok: boolean
  /** False if the run was too large to be compared completely; `ok` is false then as well. */
  readonly isComplete: boolean
  readonly foldHash: string
  readonly deliveredHash: string
  /** Whether reading the raw records again gives the entries. Another version may read them differently: nothing is compared. */
  readonly reread: 'same' | 'different' | 'read-by-other-version'
  readonly entries: number
  readonly rawRecords: number
  /** The problems found, as sentences. */
  readonly problems: readonly string[]
}

/** A range of raw records, counted from 0; `to` is exclusive. `objects` also returns their names and numbers. */
export interface RawQuery {
  readonly from?: number
  readonly to?: number
  readonly shape?: 'text' | 'objects'
}
