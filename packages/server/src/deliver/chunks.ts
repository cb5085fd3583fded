import type { Entry } from '@millrace/core/entry'
import { getWire } from '@millrace/core/wire'
import type { Chunk } from '@millrace/core/wire/wire'
import type { Log, StoredRun } from '../log/log.ts'

/** A chunk of a wire, and the entry that makes it: its `index`-th. */
export interface ChunkOf {
  readonly chunk: Chunk
  readonly entry: Entry
  readonly index: number
}

/** What a wire says of a run up to now. Some entries say nothing on it: `note` is told of each, before its chunks. */
export async function* readChunks(
  log: Log,
  { run, messageId }: { readonly run: StoredRun; readonly messageId?: string },
  { wire, profile }: { readonly wire: string; readonly profile?: string },
  note: (entry: Entry) => void = () => {},
): AsyncGenerator<ChunkOf> {
  const { id: runId, threadId } = run
  const dialect = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
  const wireState = getWire(wire).create({ runId, threadId, ...dialect })
  for await (const entries of log.read(runId, { after: 0, live: false })) {
    for (const entry of entries) {
      note(entry)
      for (const [index, chunk] of wireState.push(entry).entries()) yield { chunk, entry, index }
    }
  }
}
