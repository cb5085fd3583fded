import type { Entry } from '@millrace/core/entry'
import { getFormat } from '@millrace/core/format'
import type { Chunk } from '@millrace/core/format/format'
import type { Log } from '../log/log.ts'
import { type Cursor, follows, saysWholeEntries } from './cursor.ts'

/** A chunk of a wire, with the cursor that stands behind it. */
export interface Placed {
  readonly cursor: string
  readonly chunk: Chunk
  readonly entry: Entry
  readonly index: number
}

export interface ReadChunks {
  readonly log: Log
  readonly runId: string
  readonly threadId: string
  /** A registry name of the formats. */
  readonly wire: string
  readonly profile?: string
  /** Only what follows this cursor; without it, everything from the first chunk. */
  readonly after?: Cursor
  /** Whether to go on with what is logged from now on. */
  readonly live: boolean
  readonly signal?: AbortSignal
}

/**
 * The chunks of a run, in the log's batches. What follows a cursor is found by formatting from the run's start and
 * dropping what comes up to it: a formatter is deterministic, so that the chunks and their cursors are the same again.
 */
export async function* readChunks(options: ReadChunks): AsyncGenerator<readonly Placed[]> {
  const { log, runId, threadId, wire, profile, after, live, signal } = options
  const formatter = getFormat(wire).create({ runId, threadId, ...(profile !== undefined && { profile }) })
  const isWhole = saysWholeEntries(wire)
  const start = isWhole && after !== undefined ? after.seq : 0
  for await (const entries of log.read(runId, { after: start, live, ...(signal && { signal }) })) {
    const placed: Placed[] = []
    for (const entry of entries) {
      for (const [index, chunk] of formatter.push(entry).entries()) {
        if (after !== undefined && !follows(after, entry.seq, index)) continue
        placed.push({ cursor: isWhole ? `${entry.seq}` : `${entry.seq}.${index}`, chunk, entry, index })
      }
    }
    if (placed.length > 0) yield placed
  }
}
