import type { Entry } from '@millrace/core/entry'
import { getFormat } from '@millrace/core/format'
import type { Chunk } from '@millrace/core/format/format'
import type { Log, RunInfo } from '../log/log.ts'

/** A chunk of a wire, and the entry that makes it: its `index`-th. */
export interface ChunkOf {
  readonly chunk: Chunk
  readonly entry: Entry
  readonly index: number
}

/** What a wire says of a run up to now. Some entries say nothing on it: `note` is told of each, before its chunks. */
export async function* readChunks(
  log: Log,
  { run, messageId }: { readonly run: RunInfo; readonly messageId?: string },
  { wire, profile }: { readonly wire: string; readonly profile?: string },
  note: (entry: Entry) => void = () => {},
): AsyncGenerator<ChunkOf> {
  const { id: runId, threadId } = run
  const dialect = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
  const formatter = getFormat(wire).create({ runId, threadId, ...dialect })
  for await (const entries of log.read(runId, { after: 0, live: false })) {
    for (const entry of entries) {
      note(entry)
      for (const [index, chunk] of formatter.push(entry).entries()) yield { chunk, entry, index }
    }
  }
}
