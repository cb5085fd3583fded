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

/** What a wire says of a run up to now. */
export async function* readChunks(log: Log, { id: runId, threadId }: RunInfo, wire: string): AsyncGenerator<ChunkOf> {
  const formatter = getFormat(wire).create({ runId, threadId })
  for await (const entries of log.read(runId, { after: 0, live: false })) {
    for (const entry of entries) {
      for (const [index, chunk] of formatter.push(entry).entries()) yield { chunk, entry, index }
    }
  }
}
