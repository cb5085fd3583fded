import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import type { GrowingTexts } from './growing-texts.ts'
import type { ProsePart } from './raw.ts'
import type { EventScope } from './sessions.ts'

/** The events of the current state of a text or reasoning part. `isWhole` means that no more of it follows. */
export function proseEvents(texts: GrowingTexts, part: ProsePart, scope: EventScope, isWhole: boolean): StreamEvent[] {
  const { id: blockId, type, text, time, metadata } = part
  if (typeof text !== 'string' || typeof blockId !== 'string') throw new TypeError('A part has no text.')
  // A part that has ended may be sent again, with other text or other metadata.
  if (texts.hasEnded(blockId)) return [{ ...scope, type: 'block-patch', blockId, text }]
  const isNew = !texts.has(blockId)
  const more = texts.growth(blockId, text)
  const start: StreamEvent = {
    ...scope,
    type: 'block-start',
    blockId,
    kind: type,
    ...(type === 'reasoning' && { variant: 'thinking' as const }),
    ...present({ sentAt: time?.start ?? scope.sentAt }),
    ...(part.synthetic && { meta: { opencode: { synthetic: true } } }),
  }
  const isOther = more === undefined && text !== ''
  if (isOther) texts.replace(blockId, text)
  if (isWhole) texts.end(blockId)
  return [
    ...(isNew ? [start] : []),
    ...(more ? [{ ...scope, type: 'block-delta' as const, blockId, text: more }] : []),
    ...(isOther ? [{ ...scope, type: 'block-patch' as const, blockId, text }] : []),
    ...(isWhole ? endEvents(blockId, type, metadata, { ...scope, ...present({ sentAt: time?.end }) }) : []),
  ]
}

/** Fields that the provider expects back are stored under its name. */
export function endEvents(
  blockId: string,
  kind: 'text' | 'reasoning',
  metadata: JsonObject | null | undefined,
  scope: EventScope,
): StreamEvent[] {
  const meta = metaOf(metadata)
  const signature = meta?.anthropic?.signature
  const encrypted = meta?.openai?.reasoningEncryptedContent ?? meta?.anthropic?.redactedData
  const fields = present({
    signature: typeof signature === 'string' && kind === 'reasoning' ? signature : undefined,
    encrypted: typeof encrypted === 'string' && kind === 'reasoning' ? encrypted : undefined,
  })
  const patch: StreamEvent[] = Object.keys(fields).length === 0 ? [] : [{ type: 'block-patch', blockId, ...fields }]
  return [...patch, { ...scope, type: 'block-end', blockId, ...present({ meta }) }]
}

function metaOf(metadata: JsonObject | null | undefined): Meta | undefined {
  const kept = Object.entries(metadata ?? {}).filter(([, value]) => isJsonObject(value))
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Meta)
}
