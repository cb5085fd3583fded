import type { Entry } from '../entry.ts'
import type { Json } from '../json.ts'
import type { Losses } from '../losses.ts'

/** A piece of a wire protocol, as JSON. */
export type Chunk = { readonly [field: string]: Json | undefined }

/** Turns the entries of one run, in order, into the chunks of one wire. */
export interface WireState {
  /**
   * The chunks of one entry, none or many. MUST be deterministic, so that formatting the log again gives the same
   * chunks with the same cursors. MUST leave nothing open once `run-end` has been pushed.
   */
  push(entry: Entry): readonly Chunk[]
}

export interface WireOptions {
  readonly runId: string
  readonly threadId: string
  /**
   * The message that the run goes on with, where a message of the wire outlives a run: a client has run the tools that an
   * earlier one was left waiting for. Only for whoever holds that message.
   */
  readonly messageId?: string
  /** A dialect of the wire; the member says which it knows. */
  readonly profile?: string
}

/** One member of the `format` family. */
export interface Wire {
  /** What this wire cannot say, and why. */
  readonly losses: Losses
  /** The dialects it knows beside its default. */
  readonly profiles: readonly string[]
  /** Response headers that its clients or proxies look for, beside those of server-sent events. */
  readonly headers: { readonly [name: string]: string }
  /**
   * On a WebSocket, where the protocol has messages of its own there: the chunk with the cursor somewhere in it. Without
   * it, a message is `{id, chunk}`.
   */
  readonly socketMessage?: (chunk: Chunk, cursor: string) => Chunk
  /** What ends a stream of server-sent events, where the protocol has such a thing. */
  readonly terminator?: string
  create(options: WireOptions): WireState
}
