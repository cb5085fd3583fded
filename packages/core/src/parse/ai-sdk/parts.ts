import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { placeOf, split, textField } from './metadata.ts'
import type { FileFields, ProviderMetadata, SourceFields } from './raw.ts'

const SOURCE: ReadonlySet<string> = new Set(['snippet', 'blockId', 'callId', 'agentId', 'kind', 'url', 'mediaType'])
const FILE: ReadonlySet<string> = new Set(['fileId', 'filename', 'url', 'callId', 'agentId'])

/** The largest content that travels within an event, in base64. */
const MAX_BYTES = 64 * 1024

type Part<Fields> = Fields & { readonly type: string; readonly providerMetadata?: ProviderMetadata | null }

export function sourceEvent(raw: Part<SourceFields>, place: number, blockIdOf: (id: string) => string): StreamEvent {
  const said = split(raw.providerMetadata, SOURCE)
  const sourceId = raw.sourceId ?? raw.id ?? `source-${place}`
  const { kind: ownKind, url: ownUrl, mediaType: ownMediaType, blockId } = said.own
  const isUrl = raw.type === 'source-url' || raw.sourceType === 'url'
  const url = raw.url ?? (typeof ownUrl === 'string' ? ownUrl : undefined)
  const kind = isKind(ownKind) ? ownKind : isUrl ? 'url' : 'document'
  // A wire that insists on a title and a type is given something where there is none.
  const isStandIn = isKind(ownKind) && (raw.title === url || raw.title === sourceId)
  const isUntyped = isKind(ownKind) && raw.mediaType === 'application/octet-stream'
  return {
    ...placeOf(said),
    type: 'source',
    sourceId,
    kind,
    ...present({
      url,
      title: isStandIn ? undefined : (raw.title ?? raw.filename),
      mediaType: isUntyped
        ? undefined
        : (raw.mediaType ?? (typeof ownMediaType === 'string' ? ownMediaType : undefined)),
    }),
    ...textField(said.own, 'snippet'),
    ...textField(said.own, 'callId'),
    ...(typeof blockId === 'string' && { blockId: blockIdOf(blockId) }),
  }
}

function isKind(kind: Json | undefined): kind is EventOf<'source'>['kind'] {
  return kind === 'url' || kind === 'document' || kind === 'file'
}

export function fileEvent(raw: Part<FileFields>, place: number): StreamEvent {
  const said = split(raw.providerMetadata, FILE)
  const { agentId, meta } = placeOf(said)
  const mediaType = raw.mediaType ?? raw.file?.mediaType ?? 'application/octet-stream'
  const thought = raw.type === 'reasoning-file' ? { ...meta, 'ai-sdk': { isReasoning: true } } : meta
  return {
    ...(agentId !== undefined && { agentId }),
    ...(thought !== undefined && { meta: thought }),
    type: 'file',
    fileId: typeof said.own.fileId === 'string' ? said.own.fileId : `file-${place}`,
    mediaType,
    ...textField(said.own, 'filename'),
    ...textField(said.own, 'callId'),
    ...textField(said.own, 'url'),
    ...contentOf(raw, mediaType),
  }
}

/** Small content as bytes, large content and addresses as they are. */
function contentOf(raw: FileFields, mediaType: string): { readonly bytes?: string; readonly url?: string } {
  const data = isJsonObject(raw.data) ? (raw.data.data ?? raw.data.url) : raw.data
  const given = raw.url ?? raw.file?.base64 ?? raw.file?.base64Data ?? (typeof data === 'string' ? data : undefined)
  if (given === undefined || given === null) return {}
  const start = `data:${mediaType};base64,`
  const isData = raw.url ? raw.url.startsWith(start) : !/^https?:/.test(given)
  const bytes = given.startsWith(start) ? given.slice(start.length) : given
  if (!isData) return { url: given }
  return bytes.length <= MAX_BYTES ? { bytes } : { url: `${start}${bytes}` }
}
