import type { Entry } from '@millrace/core/events'
import { type Chunk, getWire } from '@millrace/core/wire'
import type { Log, StoredRun } from '../log/log.ts'

/** A chunk of a wire: the `index`-th of its entry. */
export interface WireChunk {
  readonly chunk: Chunk
  readonly entry: Entry
  readonly index: number
}

/** The chunks of a run up to now. `note` is called with every entry before its chunks, also if it has none. */
export async function* readChunks(
  log: Log,
  { run, messageId }: { readonly run: StoredRun; readonly messageId?: string },
  { wire, profile }: { readonly wire: string; readonly profile?: string },
  note: (entry: Entry) => void = () => {},
): AsyncGenerator<WireChunk> {
  const { id: runId, threadId } = run
  const options = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
  const wireState = getWire(wire).create({ runId, threadId, ...options })
  for await (const entries of log.read(runId, { after: 0, live: false })) {
    for (const entry of entries) {
      note(entry)
      for (const [index, chunk] of wireState.push(entry).entries()) yield { chunk, entry, index }
    }
  }
}
