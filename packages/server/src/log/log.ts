import type { Entry, EntryMaker } from '@millrace/core/entry'
import type { Outcome } from '@millrace/core/event-fields'
import type { StreamEvent } from '@millrace/core/events'
import type { JsonObject } from '@millrace/core/json'
import type { LogError } from './errors.ts'

/**
 * One thing that a run was made from, in order: a raw record of its producer, or an event that the server itself added
 * (the user's message, an answer, a stop) or took from a client (the output of a tool that the client ran). Reading a run's
 * inputs again gives its entries again.
 */
export type LoggedInput =
  | { readonly by: 'producer'; readonly text: string; readonly name: string | undefined }
  | { readonly by: EntryMaker; readonly event: StreamEvent }

/** `waiting`: its producer is gone and may come back. `ended`: the last entry is `run-end`. */
export type RunState = 'live' | 'waiting' | 'ended'

export interface StoredRun {
  readonly id: string
  readonly threadId: string
  /** The run that this one continues. Two successors of one run are a branch. */
  readonly afterRunId?: string
  /** The run of which this is a subagent's. */
  readonly parentRunId?: string
  readonly agent?: string
  /** The parser's registry name and version. */
  readonly format: string
  readonly parserVersion: number
  /** How its records were laid out in the body that brought them, once some are durable. */
  readonly framing?: string
  readonly attempt: number
  readonly state: RunState
  readonly outcome?: Outcome
  /** The last entry's number; 0 before the first. */
  readonly seq: number
  /** How many raw records of the producer are durable. */
  readonly rawRecords: number
  readonly createdAt: number
  readonly endedAt?: number
}

export type NewRun = Omit<
  StoredRun,
  'framing' | 'state' | 'outcome' | 'seq' | 'rawRecords' | 'createdAt' | 'endedAt'
> & {
  /** The same key within a thread gives the same run: a request that is repeated starts nothing twice. */
  readonly idempotencyKey?: string
  /** Of the request that the key stands for. */
  readonly requestHash?: string
}

export interface StoredThread {
  readonly id: string
  readonly title: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** The stored row of a finished assistant message: `message_metadata` is its metadata as JSON text. */
export interface MessageRow {
  readonly id: string
  readonly chatId: string
  readonly role: 'assistant'
  readonly content: string
  readonly metadata: JsonObject
}

export interface Append {
  readonly inputs: readonly LoggedInput[]
  readonly events: readonly StreamEvent[]
  /** Where the events end the run: the row that is stored with them. It belongs to the run's thread. */
  readonly message?: MessageRow
  /** For each event, how many of the inputs had been read when it was made. All of them where it is left out. */
  readonly through?: readonly number[]
  /** For each event, who made it; the producer if left out. */
  readonly by?: readonly LoggedInput['by'][]
  /** How its raw records were laid out: what a later body of the run is read by. */
  readonly framing?: string
  /** When it happened, where that is not now. Never before the last entry: 0 is the last entry's own time. */
  readonly at?: number
}

export interface Position {
  readonly attempt: number
  /** The last entry that the writer knows of. */
  readonly afterSeq: number
  /** How many raw records the writer knows of. Only by it can a repeated append without events be recognised. */
  readonly afterRaw?: number
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Given where there is more: what to ask for next. */
  readonly next?: string
}

/** Durable, ordered, resumable. Every member keeps these promises; `logSuite` checks them. */
export interface Log {
  /** Creates a thread, or gives the one that has the id. */
  createThread(thread: { readonly id: string; readonly title?: string }): Promise<StoredThread>
  threads(query: {
    readonly search?: string
    readonly after?: string
    readonly limit?: number
  }): Promise<Page<StoredThread>>
  thread(threadId: string): Promise<StoredThread | undefined>
  renameThread(threadId: string, title: string): Promise<StoredThread | undefined>
  /**
   * Removes a thread with all that belongs to it, and leaves none of its text in a durable member's files. MUST refuse
   * (`run-live`) while a run of it is not ended.
   */
  deleteThread(threadId: string): Promise<boolean>
  /** Files that `file` events of deleted threads name, and of no other: whoever keeps them can remove them. */
  unusedFiles(): Promise<readonly string[]>
  /** These are removed: they are listed no more. */
  forgetFiles(fileIds: readonly string[]): Promise<void>

  /**
   * Creates a run; its thread is created with it if need be. A run that exists already under the id or the key is given
   * as it is, with `isNew: false`. MUST throw `other-request` if the key was given with another hash.
   */
  createRun(run: NewRun): Promise<{ readonly run: StoredRun; readonly isNew: boolean }>
  run(runId: string): Promise<StoredRun | undefined>
  /** The runs of a thread, oldest first. */
  runs(threadId: string): Promise<readonly StoredRun[]>
  /** The newest run of each of these threads, in their order. A thread without any is left out. */
  lastRuns(threadIds: readonly string[]): Promise<readonly StoredRun[]>
  /** Runs that have not ended, of all threads: what recovery looks at. */
  openRuns(): Promise<readonly StoredRun[]>
  /** Takes a run over: a higher attempt fences the lower ones. MUST throw `stale-attempt` for a lower one. */
  claim(runId: string, attempt: number): Promise<StoredRun>
  /** MUST throw `run-closed` once the run has ended. */
  setState(runId: string, state: 'live' | 'waiting'): Promise<void>

  /**
   * Stamps the events and stores them with their inputs, all or nothing. Resolves only when they are durable, with the
   * entries. `at` never decreases within a run. A higher attempt claims the run. MUST throw `stale-attempt` for a fenced
   * writer, `run-closed` after `run-end`, `wrong-position` where `afterSeq` is not the last entry, except that an append
   * which is there already (its answer was lost) gives the stored entries and stores nothing.
   */
  append(runId: string, position: Position, append: Append): Promise<readonly Entry[]>

  /**
   * Entries strictly after `after`, in batches, then live ones until the run has ended or `signal` fires. Nothing is
   * given before it is durable. A reader that does not ask costs nothing: no member queues for it.
   */
  read(
    runId: string,
    options: { readonly after: number; readonly live: boolean; readonly signal?: AbortSignal },
  ): AsyncIterable<readonly Entry[]>
  /** What the run was made from, in order, in batches. */
  inputs(runId: string): AsyncIterable<readonly LoggedInput[]>
  /** The stored rows of a thread, oldest first. */
  messages(threadId: string): Promise<readonly MessageRow[]>

  /** Stores the entries of an ended run more densely. Reading gives the same before and after. */
  pack(runId: string): Promise<void>
  /**
   * What keeps the log from writing; undefined if nothing does. Only after a failed write does it try another, so that it
   * can be asked at any time.
   */
  trouble(): Promise<LogError | undefined>
  /** Finishes what was handed over. Whatever is asked or waits afterwards rejects with `log-closed`. */
  close(): Promise<void>
}

export interface LogOptions {
  /** Where a durable member keeps its files. */
  readonly folder: string
  /** Milliseconds. */
  readonly now?: () => number
}

/** One member of the `log` family. `volatile` says why a restart loses everything. */
export interface LogMember {
  readonly volatile?: string
  open(options: LogOptions): Promise<Log>
}
