import { present } from '../../data/present.ts'
import type { BlockVariant, Meta } from '../../event-fields.ts'
import type { JsonObject } from '../../json.ts'
import { type Delta, type Fields, fieldsIn, type ReasoningDetail, wordsIn } from './raw.ts'
import { type Out, openBlock, type Speaker, say } from './speaker.ts'

/** The fields that vendors stream reasoning in. Some fill several of them with the same words: the first counts. */
const NAMES = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

/** Fields that only repeat what another one says, or sign it. */
export const REASONING_FIELDS: readonly string[] = [
  ...NAMES,
  'reasoning_details',
  'reasoning_opaque',
  'reasoning_steps',
  'reasoning_signature',
  'thinking_blocks',
]

export function readReasoning(speaker: Speaker, delta: Delta, out: Out): void {
  const { reasoning_details: details } = delta
  const isDetailed = details ? readDetails(speaker, details, out) : false
  if (!isDetailed) say(speaker, 'reasoning', 'thinking', plainReasoning(delta), out)
  for (const step of fieldsIn(delta.reasoning_steps)) readStep(speaker, step, out)
  if (details) for (const detail of details) seal(speaker, detail, out)
  sealPlain(speaker, delta, out)
}

/** Whether a delta holds any reasoning that can be read. */
export function hasReasoning(delta: Delta): boolean {
  return plainReasoning(delta) !== '' || (delta.reasoning_details ?? []).some((detail) => textOf(detail) !== '')
}

function plainReasoning(delta: Delta): string {
  for (const name of NAMES) {
    const text = wordsIn(delta[name])
    if (text !== undefined) return text
  }
  return ''
}

function textOf({ text, summary }: ReasoningDetail): string {
  return wordsIn(text) ?? wordsIn(summary) ?? ''
}

const variants: { readonly [type: string]: BlockVariant } = { 'reasoning.summary': 'summary' }

function readDetails(speaker: Speaker, details: readonly ReasoningDetail[], out: Out): boolean {
  let isAny = false
  for (const detail of details) {
    const text = textOf(detail)
    if (text === '') continue
    isAny = true
    say(speaker, 'reasoning', variants[detail.type ?? ''] ?? 'thinking', text, out)
  }
  return isAny
}

/** What Perplexity's agents do before they answer: a thought, and what they looked at. */
function readStep(speaker: Speaker, step: Fields, out: Out): void {
  const { thought, ...action } = step
  say(speaker, 'reasoning', 'thinking', wordsIn(thought) ?? '', out)
  const data = present(action) as JsonObject
  out.push({ type: 'data', name: 'reasoning-step', data, messageId: speaker.messageId })
}

/** Signatures and encrypted reasoning come after the words, at times after a call: they stand by the last words. */
function seal(speaker: Speaker, detail: ReasoningDetail, out: Out): void {
  const { type, id, format, index } = detail
  const meta: Meta = { openai: { reasoning_details: present({ type, id, format, index }) as JsonObject } }
  sealWith(speaker, { signature: wordsIn(detail.signature), encrypted: wordsIn(detail.data) }, { meta }, out)
}

/** Other vendors' words for the same. */
function sealPlain(speaker: Speaker, delta: Delta, out: Out): void {
  const block = fieldsIn(delta.thinking_blocks).at(-1)
  const signature = wordsIn(delta.reasoning_signature) ?? wordsIn(block?.signature)
  const encrypted = wordsIn(delta.reasoning_opaque) ?? wordsIn(block?.data)
  sealWith(speaker, { signature, encrypted }, {}, out)
}

interface Seal {
  readonly signature: string | undefined
  readonly encrypted: string | undefined
}

function sealWith(speaker: Speaker, given: Seal, kept: { readonly meta?: Meta }, out: Out): void {
  if (given.signature === undefined && given.encrypted === undefined) return
  const last = speaker.lastReasoning
  const isAnother = last === undefined || (speaker.isSealed && given.encrypted !== undefined)
  // Reasoning that cannot be read has a block of its own, which does not cut the text that is being said.
  const blockId = isAnother ? openBlock(speaker, 'reasoning', 'redacted', out).id : last
  out.push({ type: 'block-patch', blockId, ...present(given), ...kept })
  if (isAnother) out.push({ type: 'block-end', blockId })
  speaker.isSealed ||= given.encrypted !== undefined
}
