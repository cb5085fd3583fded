import { isJsonObject } from '../../json.ts'
import type { Chunk } from '../wire.ts'
import type { Response } from './response.ts'

/** A response for versions before 7, which drop the citations of a text: they are in its metadata. */
export function withCitationsInMetadata(response: Response): Response {
  return { ...response, emit: (chunk) => response.emit(chunk.type === 'text-end' ? withoutField(chunk) : chunk) }
}

function withoutField({ citations, ...chunk }: Chunk): Chunk {
  if (citations === undefined) return chunk
  const metadata = isJsonObject(chunk.providerMetadata) ? chunk.providerMetadata : {}
  const millrace = isJsonObject(metadata.millrace) ? metadata.millrace : {}
  return { ...chunk, providerMetadata: { ...metadata, millrace: { ...millrace, citations } } }
}
