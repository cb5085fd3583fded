import type { EventOf } from '../../events.ts'
import { chunkOf } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { dataPart, providerMetadata } from './chunk.ts'
import type { Messages } from './messages.ts'
import type { Response } from './response.ts'

export type PartRows = Pick<Rows, 'source' | 'file' | 'state' | 'data' | 'metadata' | 'control' | 'error' | 'raw'>

const nothing = (): void => {}

/** What is one part at once. */
export function partRows({ emit }: Response, { isDrawn }: Messages): PartRows {
  return {
    source(event) {
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
      const own = providerMetadata({ agentId }, meta)
      emit(chunkOf(`data-${name || 'custom'}`, { id, data, transient, providerMetadata: own }))
    },
    metadata: ({ metadata }) => emit({ type: 'message-metadata', messageMetadata: metadata }),
    // An `error` chunk would end the message; this error did not end the run.
    error(event) {
      const { message, code, name } = event
      emit(dataPart('error', undefined, { message, code, name }, event))
    },
    control: nothing,
    raw: nothing,
  }
}

function sourceChunk(event: EventOf<'source'>) {
  const { sourceId, kind, url, title, mediaType, snippet, blockId, callId, agentId, meta } = event
  const place = { snippet, blockId, callId, agentId }
  if (kind === 'url' && url !== undefined) {
    const own = providerMetadata({ mediaType, ...place }, meta)
    return chunkOf('source-url', { sourceId, url, title, providerMetadata: own })
  }
  return chunkOf('source-document', {
    sourceId,
    mediaType: mediaType ?? 'application/octet-stream',
    title: title ?? url ?? sourceId,
    providerMetadata: providerMetadata({ kind, url, ...place }, meta),
  })
}

function fileChunk(event: EventOf<'file'>) {
  const { fileId, mediaType, filename, bytes, callId, agentId, meta } = event
  // The content itself is better than an address that only the agent can follow.
  const url = bytes === undefined ? event.url : `data:${mediaType};base64,${bytes}`
  if (url === undefined) return dataPart('file', fileId, { fileId, mediaType, filename, callId }, event)
  const address = bytes === undefined ? undefined : event.url
  const own = providerMetadata({ fileId, filename, url: address, callId, agentId }, meta)
  return chunkOf('file', { url, mediaType, providerMetadata: own })
}
