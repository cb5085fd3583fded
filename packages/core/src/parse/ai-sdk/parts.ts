import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { scopeOf, splitMetadata, textField } from './metadata.ts'
import type { FileFields, ProviderMetadata, SourceFields } from './raw.ts'

const SOURCE_MARK_KEYS: ReadonlySet<string> = new Set([
  'snippet',
  'blockId',
  'callId',
  'agentId',
  'kind',
  'url',
  'mediaType',
])
const FILE_MARK_KEYS: ReadonlySet<string> = new Set(['fileId', 'filename', 'url', 'callId', 'agentId'])

/** The maximum size of content within an event, in characters of base64. */
const MAX_BYTES = 64 * 1024

type Part<Fields> = Fields & { readonly type: string; readonly providerMetadata?: ProviderMetadata | null }

export function sourceEvent(raw: Part<SourceFields>, ordinal: number, blockIdOf: (id: string) => string): StreamEvent {
  const split = splitMetadata(raw.providerMetadata, SOURCE_MARK_KEYS)
  const sourceId = raw.sourceId ?? raw.id ?? `source-${ordinal}`
  const { kind: markedKind, url: markedUrl, mediaType: markedMediaType, blockId } = split.marks
  const isUrl = raw.type === 'source-url' || raw.sourceType === 'url'
  const url = raw.url ?? (typeof markedUrl === 'string' ? markedUrl : undefined)
  const kind = isKind(markedKind) ? markedKind : isUrl ? 'url' : 'document'
  // The wire requires a title and a media type: Millrace writes stand-ins if a source has none.
  const isStandIn = isKind(markedKind) && (raw.title === url || raw.title === sourceId)
  const isUntyped = isKind(markedKind) && raw.mediaType === 'application/octet-stream'
  return {
    ...scopeOf(split),
    type: 'source',
    sourceId,
    kind,
    ...present({
      url,
      title: isStandIn ? undefined : (raw.title ?? raw.filename),
      mediaType: isUntyped
        ? undefined
        : (raw.mediaType ?? (typeof markedMediaType === 'string' ? markedMediaType : undefined)),
    }),
    ...textField(split.marks, 'snippet'),
    ...textField(split.marks, 'callId'),
    ...(typeof blockId === 'string' && { blockId: blockIdOf(blockId) }),
  }
}

function isKind(kind: Json | undefined): kind is EventOf<'source'>['kind'] {
  return kind === 'url' || kind === 'document' || kind === 'file'
}

export function fileEvent(raw: Part<FileFields>, ordinal: number): StreamEvent {
  const split = splitMetadata(raw.providerMetadata, FILE_MARK_KEYS)
  const { agentId, meta } = scopeOf(split)
  const mediaType = raw.mediaType ?? raw.file?.mediaType ?? 'application/octet-stream'
  const thought = raw.type === 'reasoning-file' ? { ...meta, 'ai-sdk': { isReasoning: true } } : meta
  return {
    ...present({ agentId, meta: thought }),
    type: 'file',
    fileId: typeof split.marks.fileId === 'string' ? split.marks.fileId : `file-${ordinal}`,
    mediaType,
    ...textField(split.marks, 'filename'),
    ...textField(split.marks, 'callId'),
    ...textField(split.marks, 'url'),
    ...contentOf(raw, mediaType),
  }
}

/** Small content as bytes, large content as a data URL, addresses unchanged. */
function contentOf(raw: FileFields, mediaType: string): { readonly bytes?: string; readonly url?: string } {
  const data = isJsonObject(raw.data) ? (raw.data.data ?? raw.data.url) : raw.data
  const content = raw.url ?? raw.file?.base64 ?? raw.file?.base64Data ?? (typeof data === 'string' ? data : undefined)
  if (content === undefined || content === null) return {}
  const start = `data:${mediaType};base64,`
  const isData = raw.url ? raw.url.startsWith(start) : !/^https?:/.test(content)
  const bytes = content.startsWith(start) ? content.slice(start.length) : content
  if (!isData) return { url: content }
  return bytes.length <= MAX_BYTES ? { bytes } : { url: `${start}${bytes}` }
}
