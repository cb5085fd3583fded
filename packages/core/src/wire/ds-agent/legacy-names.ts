import type { Chunk } from '../wire.ts'

/** A message as older clients know it: to them what a tool gave are logs. */
export function withLegacyName(chunk: Chunk): Chunk {
  const metadata = chunk.metadata as { readonly message_type: string }
  if (metadata.message_type !== 'observation') return chunk
  return { ...chunk, metadata: { ...metadata, message_type: 'execution_logs' } }
}
