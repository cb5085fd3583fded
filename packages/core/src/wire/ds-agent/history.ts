import { isJsonObject, type JsonObject } from '../../json.ts'
import type { Chunk, HistoryReader } from '../wire.ts'

/** One message for each id, as a client of the protocol holds it: a beginning, deltas, and the whole that replaces them. */
export function createDsAgentHistory(profile?: string): HistoryReader {
  const messages = new Map<string, Chunk>()
  const isCumulative = profile !== undefined

  function take(chunk: Chunk): void {
    const id = String(chunk.message_id)
    const before = messages.get(id)
    const isDelta = isJsonObject(chunk.metadata) && chunk.metadata.is_delta === true
    if (!isDelta || before === undefined) messages.set(id, chunk)
    else messages.set(id, { ...before, content: isCumulative ? chunk.content : `${before.content}${chunk.content}` })
  }

  return {
    begin() {},
    push: (_entry, chunks) => chunks.forEach(take),
    messages: () => [...messages.values()] as JsonObject[],
  }
}
