import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectIn } from '../kit/fields.ts'
import { fileContent } from '../kit/file.ts'
import { isEmpty } from '../kit/keep.ts'
import { namesIn } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { pushMetadata, scopeOf, splitMetadata, textFields } from './metadata.ts'
import type { FileFields, SourceFields, Steering } from './raw.ts'

/** The message of a response; a user may interrupt it with a steering message. */
export function createMessage() {
  let current: string | undefined
  let hasStarted = false
  let steeringCount = 0

  function end(out: Out): void {
    if (current !== undefined) out.push({ type: 'message-end', messageId: current })
  }

  return {
    start(out: Out, messageId: string | undefined, messageMetadata: Json | undefined): void {
      const fields = objectIn(messageMetadata)
      const runFields = textFields(fields, 'model', 'agent')
      if (!hasStarted || !isEmpty(runFields)) out.push({ type: 'run-start', ...runFields })
      pushMetadata(out, Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in runFields))))
      // A response that continues a message repeats its id.
      if (messageId !== undefined && messageId !== current) {
        end(out)
        out.push({ type: 'message-start', messageId, role: 'assistant' })
        current = messageId
      }
      hasStarted = true
    },
    steer(out: Out, { id, parts, message }: Steering): void {
      const messageId = id ?? `steering-${steeringCount + 1}`
      const content = parts ?? message?.content ?? []
      const contents: readonly Json[] = Array.isArray(content) ? content : [{ type: 'text', text: content as Json }]
      end(out)
      out.push({ type: 'message-start', messageId, role: 'user' })
      for (const [index, item] of contents.entries()) pushItem(out, item, messageId, `${messageId}:${index}`)
      out.push({ type: 'message-end', messageId })
      steeringCount++
      current = undefined
    },
  }
}

function pushItem(out: Out, item: Json, messageId: string, id: string): void {
  if (!isJsonObject(item)) throw new TypeError('A part of a message is not an object.')
  if (item.type === 'text')
    out.push(
      { type: 'block-start', blockId: id, kind: 'text', messageId },
      { type: 'block-delta', blockId: id, text: String(item.text ?? '') },
      { type: 'block-end', blockId: id },
    )
  else out.push({ ...fileEvent(item as never, 0), fileId: id, messageId })
}

const SOURCE_MARK_KEYS = namesIn('snippet blockId callId agentId kind url mediaType')

export function sourceEvent(raw: SourceFields, ordinal: number, blockIdOf: (id: string) => string): EventOf<'source'> {
  const split = splitMetadata(raw.providerMetadata, SOURCE_MARK_KEYS)
  const { marks } = split
  const { blockId, ...marked } = textFields(marks, 'snippet', 'callId', 'blockId', 'url', 'mediaType')
  const sourceId = raw.sourceId ?? raw.id ?? `source-${ordinal}`
  const url = raw.url ?? marked.url
  const isMarked = isKind(marks.kind)
  const isUrl = raw.type === 'source-url' || raw.sourceType === 'url'
  // The wire requires a title and a media type: Millrace writes stand-ins if a source has none.
  const isStandIn = isMarked && (raw.title === url || raw.title === sourceId)
  const isUntyped = isMarked && raw.mediaType === 'application/octet-stream'
  return {
    ...scopeOf(split),
    type: 'source',
    sourceId,
    kind: isKind(marks.kind) ? marks.kind : isUrl ? 'url' : 'document',
    ...present({
      ...marked,
      url,
      title: isStandIn ? undefined : (raw.title ?? raw.filename),
      mediaType: isUntyped ? undefined : (raw.mediaType ?? marked.mediaType),
      blockId: blockId === undefined ? undefined : blockIdOf(blockId),
    }),
  }
}

function isKind(kind: Json | undefined): kind is EventOf<'source'>['kind'] {
  return kind === 'url' || kind === 'document' || kind === 'file'
}

const FILE_MARK_KEYS = namesIn('fileId filename url callId agentId')

export function fileEvent(raw: FileFields, ordinal: number): EventOf<'file'> {
  const split = splitMetadata(raw.providerMetadata, FILE_MARK_KEYS)
  const { meta, ...agent } = scopeOf(split)
  const data = isJsonObject(raw.data) ? (raw.data.data ?? raw.data.url) : raw.data
  const content = raw.url ?? raw.file?.base64 ?? raw.file?.base64Data ?? (typeof data === 'string' ? data : undefined)
  const isAddress = raw.url || /^(?:https?|data):/.test(content ?? '')
  return {
    ...agent,
    ...present({ meta: raw.type === 'reasoning-file' ? { ...meta, 'ai-sdk': { isReasoning: true } } : meta }),
    type: 'file',
    fileId: `file-${ordinal}`,
    ...textFields(split.marks, 'fileId', 'filename', 'callId', 'url'),
    ...fileContent(
      { mediaType: raw.mediaType ?? raw.file?.mediaType, ...(isAddress ? { url: content } : { base64: content }) },
      'application/octet-stream',
    ),
  }
}
