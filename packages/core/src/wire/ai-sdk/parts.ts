import { rememberOne } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import { chunkOf } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { dataPart, providerMetadata } from './chunk.ts'
import type { Messages } from './messages.ts'
import type { Response } from './response.ts'

export type PartRows = Pick<Rows, 'source' | 'file' | 'state' | 'data' | 'metadata' | 'control' | 'error' | 'raw'>

const ignore = (): void => {}

/** Events that are exactly one part. */
export function partRows({ emit }: Response, { isDrawn }: Messages): PartRows {
  const sourceIds = new Set<string>()
  return {
    // The client adds a part for every chunk; a source that is reported again is still one source.
    source(event) {
      if (sourceIds.has(event.sourceId)) return
      rememberOne(sourceIds, event.sourceId)
      if (isDrawn(event)) emit(sourceChunk(event))
    },
    file(event) {
      if (isDrawn(event)) emit(fileChunk(event))
    },
    state(event) {
      const { channel, op, value } = event
      emit(dataPart('state', undefined, { channel, op, value }, event))
    },
    data(event) {
      const { name, id, data, transient, agentId, meta } = event
      if (!isDrawn(event)) return
      const metadata = providerMetadata({ agentId }, meta)
      emit(chunkOf(`data-${name || 'custom'}`, { id, data, transient, providerMetadata: metadata }))
    },
    metadata: ({ metadata }) => emit({ type: 'message-metadata', messageMetadata: metadata }),
    // An `error` chunk would end the message; this error did not end the run.
    error(event) {
      const { message, code, name } = event
      emit(dataPart('error', undefined, { message, code, name }, event))
    },
    control: ignore,
    raw: ignore,
  }
}

function sourceChunk(event: EventOf<'source'>) {
  const { sourceId, kind, url, title, mediaType, snippet, blockId, callId, agentId, meta } = event
  const origin = { snippet, blockId, callId, agentId }
  if (kind === 'url' && url !== undefined) {
    const metadata = providerMetadata({ mediaType, ...origin }, meta)
    return chunkOf('source-url', { sourceId, url, title, providerMetadata: metadata })
  }
  return chunkOf('source-document', {
    sourceId,
    mediaType: mediaType ?? 'application/octet-stream',
    title: title ?? url ?? sourceId,
    providerMetadata: providerMetadata({ kind, url, ...origin }, meta),
  })
}

function fileChunk(event: EventOf<'file'>) {
  const { fileId, mediaType, filename, bytes, callId, agentId, meta } = event
  // The content is preferred to an address that only the agent can open.
  const url = bytes === undefined ? event.url : `data:${mediaType};base64,${bytes}`
  if (url === undefined) return dataPart('file', fileId, { fileId, mediaType, filename, callId }, event)
  const address = bytes === undefined ? undefined : event.url
  const metadata = providerMetadata({ fileId, filename, url: address, callId, agentId }, meta)
  return chunkOf('file', { url, mediaType, providerMetadata: metadata })
}
