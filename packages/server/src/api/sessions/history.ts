import { isJsonObject } from '@millrace/core/json'
import { type Chunk, getWire } from '@millrace/core/wire'
import { readChunks } from '../../deliver/chunks.ts'
import { type Cursor, cursorText, follows } from '../../deliver/cursor.ts'
import type { Log, StoredRun } from '../../log/log.ts'
import { createRunCache } from '../../run/run-cache.ts'
import { DS_AGENT, messageWithPosition, type SessionPosition } from './session-position.ts'

export interface HistoryOptions {
  /** Only the last so many. */
  readonly limit: number
  /** No message behind this position. */
  readonly upTo?: SessionPosition
  readonly profile?: string | undefined
}

/**
 * The messages of these runs, oldest first. Of a message that was streamed in deltas only the last chunk is kept, which holds
 * the whole message.
 */
export async function historyOf(log: Log, runs: readonly StoredRun[], options: HistoryOptions): Promise<Chunk[]> {
  const { limit, upTo, profile } = options
  const last = runs.findIndex(({ id }) => id === upTo?.runId)
  let history: Chunk[] = []
  for (const run of runs.slice(0, last === -1 ? undefined : last + 1).toReversed()) {
    const wanted = limit - history.length
    if (wanted <= 0) break
    const messages: Chunk[] = []
    for await (const message of wholeMessages(log, run, run.id === upTo?.runId ? upTo.cursor : undefined, profile)) {
      messages.push(message)
    }
    history = [...messages.slice(-wanted), ...history]
  }
  return history
}

async function* wholeMessages(
  log: Log,
  run: StoredRun,
  upTo: Cursor | undefined,
  profile: string | undefined,
): AsyncGenerator<Chunk> {
  const textOf = cursorText(getWire(DS_AGENT))
  for await (const { chunk, entry, index } of readChunks(
    log,
    { run },
    { wire: DS_AGENT, ...(profile !== undefined && { profile }) },
  )) {
    if (upTo !== undefined && follows(upTo, entry.seq, index)) return
    if (isWhole(chunk)) yield messageWithPosition(chunk, run.id, textOf(entry.seq, index))
  }
}

/** The first chunk of a streamed message, and its deltas, are marked as streaming. */
const isWhole = ({ metadata }: Chunk): boolean => !isJsonObject(metadata) || metadata.streaming !== true

/** The number of whole messages of runs. Ended runs are counted once. */
export function createCounts(log: Log): (runs: readonly StoredRun[]) => Promise<number> {
  const counts = createRunCache<number>()

  async function count(run: StoredRun): Promise<number> {
    let messages = 0
    for await (const _message of wholeMessages(log, run, undefined, undefined)) messages++
    return messages
  }

  async function countOf(run: StoredRun): Promise<number> {
    if (run.state !== 'ended') return count(run)
    return counts.set(run, counts.get(run) ?? (await count(run)))
  }

  return async (runs) => {
    let sum = 0
    for (const run of runs) sum += await countOf(run)
    return sum
  }
}
