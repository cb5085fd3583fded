import type { Entry } from '../entry.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Losses } from '../losses.ts'

/** A unit of a wire protocol, as JSON. */
export type Chunk = { readonly [field: string]: Json | undefined }

/** Turns the entries of one run, in order, into the chunks of one wire. */
export interface WireState {
  /**
   * The chunks of one entry, none or many. MUST be deterministic, so that writing the log again gives the same chunks with
   * the same cursors. MUST leave nothing open once `run-end` has been pushed.
   */
  push(entry: Entry): readonly Chunk[]
}

export interface WireOptions {
  readonly runId: string
  readonly threadId: string
  /**
   * The message that the run continues, if the client holds a message that an earlier run began: the client ran the tools
   * that the earlier run left to it.
   */
  readonly messageId?: string
  /** One of the wire's `profiles`. */
  readonly profile?: string
}

/**
 * Reads the chunks of a branch's runs, oldest first, as the wire's own client does. What it returns is what a client loads
 * instead of streaming these runs (`decisions/0024`).
 */
export interface HistoryReader {
  /** The next run of the branch begins. */
  begin(options: WireOptions): void
  /**
   * Takes an entry with its chunks. MUST take from the entry only what the wire does not send because its client has it: the
   * messages of people, and outputs of tools that the client has run. Everything else MUST come from the chunks, of which
   * there are none if the client is going to stream the run.
   */
  push(entry: Entry, chunks: readonly Chunk[]): void
  /** The messages that a client holds behind these chunks, oldest first, with the ids of the stream. Valid until the next `push`. */
  messages(): readonly JsonObject[]
}

/** One member of the `wire` family. */
export interface Wire {
  /** What this wire cannot carry, and why. */
  readonly losses: Losses
  /** The variants of the protocol that it supports beside its default, such as those of older clients. */
  readonly profiles: readonly string[]
  /** What a profile cannot carry, and why, if that differs from `losses`. */
  readonly profileLosses?: { readonly [profile: string]: Losses }
  /** Response headers that its clients or proxies look for, beside those of server-sent events. */
  readonly headers: { readonly [name: string]: string }
  /**
   * Every entry is exactly one chunk that depends on no other entry, so the entry's number alone is its cursor and a stream
   * may begin anywhere. Its streams also carry the run's status.
   */
  readonly hasWholeEntries?: true
  /** Its chunks are the entries themselves, so that what the log has stored is sent as it is. Only with `hasWholeEntries`. */
  readonly sendsEntries?: true
  /** A message of its clients may span several runs (`messageId`): a client that streams it reads all of them. */
  readonly spansRuns?: true
  /**
   * Whether a response ends behind this chunk because the run waits for an answer, which the client sends as a new request.
   * Absent if responses never end before the run does.
   */
  readonly isPause?: (chunk: Chunk, entry: Entry) => boolean
  /**
   * The message that carries a chunk over a WebSocket, if the protocol has messages of its own; it MUST contain the cursor.
   * Without this function, a message is `{id, chunk}`.
   */
  readonly socketMessage?: (chunk: Chunk, cursor: string) => Chunk
  /** In a server-sent event the id comes before the data: some of its clients give it to the data that follows it. */
  readonly hasCursorsFirst?: true
  /** What ends a stream of server-sent events, if the protocol has such a mark. */
  readonly terminator?: string
  create(options: WireOptions): WireState
  /** Absent if the protocol has no messages that a client could load. */
  readonly createHistory?: (profile?: string) => HistoryReader
}
