import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import type { ProsePart } from './raw.ts'
import type { Place } from './sessions.ts'
import type { Told } from './told.ts'

/** A part of text or reasoning, as it stands. `isWhole` where no more will come of it. */
export function proseEvents(told: Told, part: ProsePart, place: Place, isWhole: boolean): StreamEvent[] {
  const { id: blockId, type, text, time, metadata } = part
  if (typeof text !== 'string' || typeof blockId !== 'string') throw new TypeError('A part has no text.')
  const isNew = !told.has(blockId)
  const more = told.growth(blockId, text)
  const start: StreamEvent = {
    ...place,
    type: 'block-start',
    blockId,
    kind: type,
    ...(type === 'reasoning' && { variant: 'thinking' as const }),
    ...present({ sentAt: time?.start ?? place.sentAt }),
    ...(part.synthetic && { meta: { opencode: { synthetic: true } } }),
  }
  const isOther = more === undefined && text !== ''
  if (isOther) told.replace(blockId, text)
  if (isWhole) told.forget(blockId)
  return [
    ...(isNew ? [start] : []),
    ...(more ? [{ ...place, type: 'block-delta' as const, blockId, text: more }] : []),
    ...(isOther ? [{ ...place, type: 'block-patch' as const, blockId, text }] : []),
    ...(isWhole ? endEvents(blockId, type, metadata, { ...place, ...present({ sentAt: time?.end }) }) : []),
  ]
}

/** What the provider wants back stands under its name. */
export function endEvents(
  blockId: string,
  kind: 'text' | 'reasoning',
  metadata: JsonObject | null | undefined,
  place: Place,
): StreamEvent[] {
  const meta = metaOf(metadata)
  const signature = meta?.anthropic?.signature
  const encrypted = meta?.openai?.reasoningEncryptedContent ?? meta?.anthropic?.redactedData
  const fields = present({
    signature: typeof signature === 'string' && kind === 'reasoning' ? signature : undefined,
    encrypted: typeof encrypted === 'string' && kind === 'reasoning' ? encrypted : undefined,
  })
  const patch: StreamEvent[] = Object.keys(fields).length === 0 ? [] : [{ type: 'block-patch', blockId, ...fields }]
  return [...patch, { ...place, type: 'block-end', blockId, ...present({ meta }) }]
}

function metaOf(metadata: JsonObject | null | undefined): Meta | undefined {
  const kept = Object.entries(metadata ?? {}).filter(([, value]) => isJsonObject(value))
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Meta)
}
