import type { Entry, EntryMaker, Outcome, StreamEvent } from '@millrace/core/events'
import type { JsonObject } from '@millrace/core/json'
import type { NewCommand, Settlement, StoredCommand } from './commands.ts'
import type { EntryLines } from './entry-lines.ts'
import type { LogError } from './errors.ts'
import type { Digested, SearchIndex } from './search.ts'

export type * from './commands.ts'
export type * from './member.ts'
export type { SearchHit, SearchIndex, SearchPage, SearchQuery } from './search.ts'

/**
 * One input of a run: a raw record of its producer, or an event that the server added (the user's message, an answer, a
 * stop) or took from a client (the output of a tool that the client ran). Reading a run's inputs again, in order, gives
 * its entries again.
 */
export type LoggedInput =
  | { readonly by: 'producer'; readonly text: string; readonly name: string | undefined }
  | { readonly by: EntryMaker; readonly event: StreamEvent }

/**
 * `queued`: no node has begun it. `live`: a node feeds it. `waiting`: the producer is gone and may come back. `ended`:
 * the last entry is `run-end`.
 */
export type RunState = 'queued' | 'live' | 'waiting' | 'ended'

export interface StoredRun extends Digested {
  readonly id: string
  readonly threadId: string
  /** The run that this one continues. Two successors of one run form a branch. */
  readonly afterRunId?: string
  /** The run whose subagent this run belongs to. */
  readonly parentRunId?: string
  readonly agent?: string
  /** The parser's registry name and version. */
  readonly format: string
  readonly parserVersion: number
  /** The version of the reader; runs of the first releases have none. */
  readonly readerVersion?: number
  /** How its records were laid out in their body; set once some are durable. */
  readonly framing?: string
  /** The producer's own number of its tries. A lower one than the highest so far is refused. */
  readonly attempt: number
  readonly state: RunState
  /** The node that feeds the run; absent if none does. Its lease may have ended. */
  readonly owner?: string
  /** Raised whenever the run is acquired: a writer with another epoch is refused. */
  readonly epoch: number
  /** How long a waiting run waits for its producer, by the log's clock; absent: until somebody ends it. */
  readonly waitUntil?: number
  readonly outcome?: Outcome
  /** The number of the last entry; 0 if there is none. */
  readonly seq: number
  /** How many raw records of the producer are durable. */
  readonly rawRecords: number
  readonly createdAt: number
  readonly endedAt?: number
}

export type NewRun = Omit<
  StoredRun,
  'framing' | 'state' | 'epoch' | 'waitUntil' | 'outcome' | 'seq' | 'rawRecords' | 'createdAt' | 'endedAt' | 'digest'
> & {
  /** The same key within a thread gives the same run, so that a repeated request does not start a second one. */
  readonly idempotencyKey?: string
  /** Hash of the request that the key identifies. */
  readonly requestHash?: string
  /** Only if no run of the thread is open; a subagent's own run does not count. */
  readonly isAlone?: boolean
}

export interface StoredThread {
  readonly id: string
  readonly title: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Raised by every change of the thread, and of the states of its runs. */
  readonly version: number
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
  /** The row that is stored with the events, if they end the run. It belongs to the run's thread. */
  readonly message?: MessageRow
  /** For each event, how many of the inputs had been read when it was made; default: all. */
  readonly through?: readonly number[]
  /** The maker of each event; default: the producer. */
  readonly by?: readonly LoggedInput['by'][]
  /** How its raw records were laid out: later bodies of the run are read with the same framing. */
  readonly framing?: string
  /** The time of the events; default: now. It is never before the last entry: 0 means the time of the last entry. */
  readonly at?: number
  /** The results of commands, stored with what the commands caused. A result that is stored already stays. */
  readonly settle?: readonly Settlement[]
  /** A run that is created with the end of this one, in state `queued`. Ignored if its id or key exists. */
  readonly followUp?: Omit<NewRun, 'owner'>
}

export interface Position {
  /** The writer's epoch of the run: 0 for a run that was never acquired. */
  readonly epoch: number
  /** The last entry that the writer knows of. */
  readonly afterSeq: number
  /** How many raw records the writer knows of. A repeated append without events is recognised only by this number. */
  readonly afterRaw?: number
}

export interface ReadOptions {
  readonly after: number
  readonly live: boolean
  readonly signal?: AbortSignal
}

/**
 * What can be watched: a run, a thread with the states of its runs, all threads, or whether `expired` lists runs because
 * another process has ended.
 */
export type Subject = { readonly runId: string } | { readonly threadId: string } | 'threads' | 'expired'

export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page; left out on the last page. */
  readonly next?: string
}

/** Durable, ordered, resumable. Every member keeps these promises; `logSuite` checks them. */
export interface Log extends SearchIndex {
  /** Creates a thread, or resolves with the existing one. */
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
  /** Files that only `file` events of deleted threads name: the store of the files can remove them. */
  unusedFiles(): Promise<readonly string[]>
  /** Takes removed files off the list of unused files. */
  forgetFiles(fileIds: readonly string[]): Promise<void>

  /**
   * Creates a run, and its thread if there is none. A run that already exists with the id or the key is returned as it
   * is, with `isNew: false`. With an owner it is `live` in epoch 1, otherwise in epoch 0. MUST throw `other-request` if
   * the key was used with another hash, `run-live` if it must be alone and is not, `unknown-node` for an owner without a
   * lease.
   */
  createRun(run: NewRun): Promise<{ readonly run: StoredRun; readonly isNew: boolean }>
  run(runId: string): Promise<StoredRun | undefined>
  /** The runs of a thread, oldest first. */
  runs(threadId: string): Promise<readonly StoredRun[]>
  /**
   * The newest run of each of these threads, in the order of `threadIds`; a run that another run has begun does not count.
   * A thread without runs is left out.
   */
  lastRuns(threadIds: readonly string[]): Promise<readonly StoredRun[]>
  /** The runs of all threads that have not ended, for recovery. */
  openRuns(): Promise<readonly StoredRun[]>

  /**
   * A new node, with a lease, which the log renews; a node's id is never used again. A process joins once per start, and again
   * after `onLost`: the lease has ended, or may have, although the node has not left. Others may take its runs; every write of
   * them as their owner is refused.
   */
  join(onLost?: () => void): Promise<string>
  /** Ends the node's lease at once: its runs can be acquired by others. */
  leave(nodeId: string): Promise<void>
  /**
   * Makes the node the run's owner, raises the epoch and sets the state to `live`, unless the run has ended: then it is
   * returned as it is. MUST throw `run-owned` while its owner's lease holds, `stale-attempt` if the run has had a higher
   * attempt than the one given, `unknown-node` for a node without a lease.
   */
  acquire(runId: string, nodeId: string, attempt?: number): Promise<StoredRun>
  /**
   * Gives the run up: it waits, for `waitFor` ms or without a limit. MUST throw `stale-owner` for another epoch than the
   * run's. An ended run stays as it is.
   */
  release(runId: string, epoch: number, waitFor?: number): Promise<void>
  /** Open runs that somebody must acquire: their owner's lease or their wait has ended, or nobody has begun them. */
  expired(): Promise<readonly StoredRun[]>

  /**
   * Stores a command for the run's owner. Resolves when it is durable, with its number. A repeated key gives the command
   * that is stored under it. MUST throw `unknown-run`.
   */
  tell(runId: string, command: NewCommand): Promise<StoredCommand>
  /**
   * The commands of a run with numbers above `after`, in order, the first `limit` of them; with `isOpen`, only those of
   * them without a result. MUST throw
   * `unknown-run`.
   */
  commands(
    runId: string,
    query: { readonly after: number; readonly limit?: number; readonly isOpen?: boolean },
  ): Promise<readonly StoredCommand[]>
  /** Notes that this node sends the run's commands to a producer, or no longer does. MUST throw `unknown-run`. */
  setFollowing(runId: string, nodeId: string, isFollowing: boolean): Promise<void>
  /** Whether a node with a lease sends the run's commands to a producer. */
  isFollowed(runId: string): Promise<boolean>

  /**
   * Calls the listener when the subject may have changed, until the returned function is called. It is a hint: it may
   * come too often, and says only that a look is worth it. Of a run: its commands and its state; entries have `read`.
   */
  watch(subject: Subject, listener: () => void): () => void

  /**
   * Stamps the events and stores them with their inputs, all or nothing. Resolves only when they are durable, with the
   * entries. `at` never decreases within a run. MUST throw `stale-owner` for another epoch than the run's, `run-closed` after `run-end`, `wrong-position` if `afterSeq` is not the last entry, except that an
   * append which is already stored (its response was lost) resolves with the stored entries and stores nothing.
   */
  append(runId: string, position: Position, append: Append): Promise<EntryLines>

  /**
   * Entries strictly after `after`, in batches, then live ones until the run has ended or `signal` fires. No entry
   * is yielded before it is durable. A reader that does not read costs nothing: members keep no queue for it.
   */
  lines(runId: string, options: ReadOptions): AsyncIterable<EntryLines>
  /** The same as objects. */
  read(runId: string, options: ReadOptions): AsyncIterable<readonly Entry[]>
  /** The inputs of the run, in order, in batches. */
  inputs(runId: string): AsyncIterable<readonly LoggedInput[]>
  /** The stored rows of a thread, oldest first. */
  messages(threadId: string): Promise<readonly MessageRow[]>

  /** Stores the entries of an ended run more densely. Reads give the same before and after. */
  pack(runId: string): Promise<void>
  /**
   * Why the log cannot write; undefined if it can. It tries a write only after a failed one, so that it may be called
   * at any time.
   */
  trouble(): Promise<LogError | undefined>
  /** Finishes what was handed over. Every later or waiting call rejects with `log-closed`. */
  close(): Promise<void>
}
