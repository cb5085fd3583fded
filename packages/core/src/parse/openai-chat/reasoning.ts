import { present } from '../../data/present.ts'
import type { BlockVariant, Meta } from '../../event-fields.ts'
import type { JsonObject } from '../../json.ts'
import { type Delta, type Fields, objectsIn, type ReasoningDetail, textIn } from './raw.ts'
import { addText, type Out, openBlock, type Speaker } from './speaker.ts'

/** The fields in which vendors stream reasoning. Some fill several of them with the same text: the first counts. */
const TEXT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

/** Fields that hold, repeat or sign reasoning. */
export const REASONING_FIELDS: readonly string[] = [
  ...TEXT_FIELDS,
  'reasoning_details',
  'reasoning_opaque',
  'reasoning_steps',
  'reasoning_signature',
  'thinking_blocks',
]

export function readReasoning(speaker: Speaker, delta: Delta, out: Out): void {
  const { reasoning_details: details } = delta
  const isDetailed = details ? readDetails(speaker, details, out) : false
  if (!isDetailed) addText(speaker, 'reasoning', 'thinking', plainReasoning(delta), out)
  for (const step of objectsIn(delta.reasoning_steps)) readStep(speaker, step, out)
  if (details) for (const detail of details) addDetailSeal(speaker, detail, out)
  addPlainSeal(speaker, delta, out)
}

/** Whether a delta holds readable reasoning. */
export function hasReasoning(delta: Delta): boolean {
  return plainReasoning(delta) !== '' || (delta.reasoning_details ?? []).some((detail) => textOf(detail) !== '')
}

function plainReasoning(delta: Delta): string {
  for (const name of TEXT_FIELDS) {
    const text = textIn(delta[name])
    if (text !== undefined) return text
  }
  return ''
}

function textOf({ text, summary }: ReasoningDetail): string {
  return textIn(text) ?? textIn(summary) ?? ''
}

const variants: { readonly [type: string]: BlockVariant } = { 'reasoning.summary': 'summary' }

function readDetails(speaker: Speaker, details: readonly ReasoningDetail[], out: Out): boolean {
  let isAny = false
  for (const detail of details) {
    const text = textOf(detail)
    if (text === '') continue
    isAny = true
    addText(speaker, 'reasoning', variants[detail.type ?? ''] ?? 'thinking', text, out)
  }
  return isAny
}

/** A step of Perplexity's agents before the answer: a thought, and what they read. */
function readStep(speaker: Speaker, step: Fields, out: Out): void {
  const { thought, ...action } = step
  addText(speaker, 'reasoning', 'thinking', textIn(thought) ?? '', out)
  const data = present(action) as JsonObject
  out.push({ type: 'data', name: 'reasoning-step', data, messageId: speaker.messageId })
}

/** Signatures and encrypted reasoning follow the text, sometimes after a call: they belong to the last reasoning. */
function addDetailSeal(speaker: Speaker, detail: ReasoningDetail, out: Out): void {
  const { type, id, format, index } = detail
  const meta: Meta = { openai: { reasoning_details: present({ type, id, format, index }) as JsonObject } }
  patchSeal(speaker, { signature: textIn(detail.signature), encrypted: textIn(detail.data) }, { meta }, out)
}

/** The same under the field names of other vendors. */
function addPlainSeal(speaker: Speaker, delta: Delta, out: Out): void {
  const block = objectsIn(delta.thinking_blocks).at(-1)
  const signature = textIn(delta.reasoning_signature) ?? textIn(block?.signature)
  const encrypted = textIn(delta.reasoning_opaque) ?? textIn(block?.data)
  patchSeal(speaker, { signature, encrypted }, {}, out)
}

interface Seal {
  readonly signature: string | undefined
  readonly encrypted: string | undefined
}

function patchSeal(speaker: Speaker, seal: Seal, kept: { readonly meta?: Meta }, out: Out): void {
  if (seal.signature === undefined && seal.encrypted === undefined) return
  const last = speaker.lastReasoning
  const isAnother = last === undefined || (speaker.isSealed && seal.encrypted !== undefined)
  // Reasoning that cannot be read gets its own block, which does not interrupt the open text block.
  const blockId = isAnother ? openBlock(speaker, 'reasoning', 'redacted', out).id : last
  out.push({ type: 'block-patch', blockId, ...present(seal), ...kept })
  if (isAnother) out.push({ type: 'block-end', blockId })
  speaker.isSealed ||= seal.encrypted !== undefined
}
