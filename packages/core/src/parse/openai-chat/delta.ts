import { present } from '../../data/present.ts'
import type { Meta } from '../../event-fields.ts'
import type { Json, JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { isEmpty, keep, keepRaw } from '../kit/keep.ts'
import { namesIn } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { addCitations, addFile, addSource, readAnnotations, readAudio, readImages } from './attachments.ts'
import { readExecutedTools, readFunctionCall, readToolCall } from './calls.ts'
import type { Choice, Delta, Part, ReasoningDetail } from './raw.ts'
import { addText, type Speaker } from './speaker.ts'

/** The fields in which vendors stream reasoning. Some fill several of them with the same text: the first counts. */
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

/** Fields of a delta that are read, or that carry nothing: the rest becomes metadata. */
export const DELTA_FIELDS: ReadonlySet<string> = new Set([
  ...REASONING,
  ...namesIn('reasoning_details reasoning_opaque reasoning_steps reasoning_signature thinking_blocks role name index'),
  ...namesIn('channel token_id content refusal audio tool_calls function_call executed_tools images annotations'),
])

/** Whether a choice holds visible content. */
export function hasVisibleContent({ delta, message, text }: Choice): boolean {
  const body: Delta = delta ?? message ?? {}
  const { content, refusal, tool_calls, function_call, executed_tools } = body
  if (text || refusal || function_call || executed_tools || (content?.length ?? 0) > 0) return true
  if ((tool_calls?.length ?? 0) > 0 || reasoningField(body) !== undefined) return true
  return (body.reasoning_details ?? []).some((detail) => textOf(detail) !== '')
}

export function readDelta(out: Out, speaker: Speaker, delta: Delta): void {
  const { refusal, audio, tool_calls, function_call } = delta
  if (delta.role) speaker.roles += 1
  readReasoning(out, speaker, delta)
  readContent(out, speaker, delta)
  if (refusal) addText(out, speaker, 'refusal', refusal)
  readAudio(out, speaker, audio)
  for (const call of tool_calls ?? []) readToolCall(out, speaker, call)
  if (function_call) readFunctionCall(out, speaker, function_call)
  readUnstreamed(out, speaker, delta)
}

/** What a message may add to what was streamed of it. */
function readUnstreamed(out: Out, speaker: Speaker, { executed_tools, images, annotations }: Delta): void {
  readExecutedTools(out, speaker, executed_tools)
  readImages(out, speaker, images)
  readAnnotations(out, speaker, annotations)
}

/** A message that was streamed before: a longer text replaces the streamed one, and unstreamed parts may be new. */
export function readRepeated(out: Out, speaker: Speaker, message: Delta): void {
  const { content } = message
  const blockId = speaker.voice.lastOf('text')
  const isMore = typeof content === 'string' && content.length > speaker.textLength
  if (isMore && blockId !== undefined && speaker.texts === 1) out.push({ type: 'block-patch', blockId, text: content })
  readUnstreamed(out, speaker, message)
}

function readContent(out: Out, speaker: Speaker, { content, extra_content }: Delta): void {
  if (typeof content !== 'string')
    for (const part of content ?? []) (partsByType.get(part.type) ?? keepPart)(out, speaker, part)
  // The OpenAI-compatible endpoint of Gemini marks content that is a thought.
  else if (extra_content !== undefined && objectIn(objectIn(extra_content).google).thought === true)
    addText(out, speaker, 'thinking', content)
  else {
    addText(out, speaker, 'text', content)
    // The signature of a text, which the same endpoint wants back.
    const blockId = speaker.voice.lastOf('text')
    if (blockId !== undefined && objectIn(objectIn(extra_content).google).thought_signature !== undefined)
      out.push({ type: 'block-patch', blockId, ...keep('openai', { extra_content }) })
  }
}

type ReadPart = (out: Out, speaker: Speaker, part: Part) => void

/** The parts of a content list, as Mistral sends it. */
const parts: { readonly [type: string]: ReadPart } = {
  text: (out, speaker, { text }) => addText(out, speaker, 'text', textIn(text) ?? ''),
  refusal: (out, speaker, { refusal }) => addText(out, speaker, 'refusal', textIn(refusal) ?? ''),
  thinking(out, speaker, { thinking, signature: signed }) {
    const texts = objectsIn(thinking).map(({ text }) => textIn(text) ?? '')
    addText(out, speaker, 'thinking', textIn(thinking) ?? texts.join(''))
    const blockId = speaker.voice.lastOf('reasoning')
    const signature = textIn(signed)
    if (blockId !== undefined && signature !== undefined) out.push({ type: 'block-patch', blockId, signature })
  },
  reference: (out, speaker, part) => addCitations(out, speaker, [part]),
  tool_reference(out, speaker, part) {
    addSource(out, speaker, { url: part.url, title: part.title, snippet: part.description })
    addCitations(out, speaker, [part])
  },
  image_url: (out, speaker, { image_url }) => addFile(out, speaker, image_url, 'image/*'),
  document_url: (out, speaker, { document_url }) => addFile(out, speaker, document_url, 'application/octet-stream'),
}
const partsByType = new Map(Object.entries(parts))
const keepPart: ReadPart = (out, _speaker, part) => keepRaw(out, part)

function readReasoning(out: Out, speaker: Speaker, delta: Delta): void {
  const { reasoning_details: details, reasoning_steps: steps, thinking_blocks } = delta
  const detailed = (details ?? []).filter((detail) => textOf(detail) !== '')
  for (const detail of detailed) addDetail(out, speaker, detail)
  if (detailed.length === 0) addPlain(out, speaker, delta)
  for (const step of objectsIn(steps)) readStep(out, speaker, step)
  for (const detail of details ?? []) addSeal(out, speaker, detail.signature, detail.data, { meta: metaOf(detail) })
  // The same under the field names of other vendors.
  const block = objectsIn(thinking_blocks).at(-1)
  const signature = textIn(delta.reasoning_signature) ?? textIn(block?.signature)
  addSeal(out, speaker, signature, textIn(delta.reasoning_opaque) ?? textIn(block?.data), {})
}

/** What a detail is beside its content: OpenRouter wants it back unchanged. */
const metaOf = ({ type, id, format, index }: ReasoningDetail): Meta => ({
  openai: { reasoning_details: present({ type, id, format, index }) as JsonObject },
})

/** The text of a detail, in a block that says once what the detail is. */
function addDetail(out: Out, speaker: Speaker, detail: ReasoningDetail): void {
  addText(out, speaker, detail.type === 'reasoning.summary' ? 'summary' : 'thinking', textOf(detail))
  const meta = metaOf(detail)
  const key = JSON.stringify(meta)
  const blockId = speaker.voice.lastOf('reasoning')
  if (speaker.detail === key || blockId === undefined || isEmpty(objectIn(meta.openai?.reasoning_details))) return
  speaker.detail = key
  out.push({ type: 'block-patch', blockId, meta })
}

/** The field that holds the text of a thought. */
const reasoningField = (delta: Delta) => REASONING.find((name) => textIn(delta[name]) !== undefined)

/** A vendor refuses its thoughts in another field than its own: the block names it, unless it is the usual one. */
function addPlain(out: Out, speaker: Speaker, delta: Delta): void {
  const field = reasoningField(delta)
  if (field === undefined) return
  addText(out, speaker, 'thinking', delta[field] as string)
  const blockId = speaker.voice.lastOf('reasoning')
  if (field === REASONING[0] || speaker.isFieldNamed || blockId === undefined) return
  speaker.isFieldNamed = true
  out.push({ type: 'block-patch', blockId, ...keep('openai', { reasoning_field: field }) })
}

function textOf({ text, summary }: ReasoningDetail): string {
  return textIn(text) ?? textIn(summary) ?? ''
}

/** A step of Perplexity's agents before the answer: a thought, and what they read. */
function readStep(out: Out, speaker: Speaker, { thought, ...action }: JsonObject): void {
  addText(out, speaker, 'thinking', textIn(thought) ?? '')
  const data = present(action) as JsonObject
  out.push({ type: 'data', name: 'reasoning-step', data, messageId: speaker.messageId })
}

/** Signatures and encrypted reasoning follow the text, sometimes after a call: they belong to the last reasoning. */
function addSeal(out: Out, speaker: Speaker, signed: unknown, data: unknown, kept: { readonly meta?: Meta }): void {
  const signature = textIn(signed)
  const encrypted = textIn(data)
  if (signature === undefined && encrypted === undefined) return
  const { voice, manners } = speaker
  const last = voice.lastOf('reasoning')
  // A text that has details of its own is not what is encrypted.
  const isAnother =
    last === undefined || (encrypted !== undefined && (speaker.isSealed || speaker.detail !== undefined))
  // Reasoning that cannot be read gets its own block, which does not interrupt the open text block.
  const blockId = isAnother ? voice.beginBeside(out, manners.redacted) : last
  out.push({ type: 'block-patch', blockId, ...present({ signature, encrypted }), ...kept })
  if (isAnother) out.push({ type: 'block-end', blockId })
  speaker.isSealed ||= encrypted !== undefined
}

/** Token probabilities: transient data for live viewers, too large to keep with the text. */
export function readLogprobs(out: Out, { messageId, voice }: Speaker, logprobs: object): void {
  if (!Object.values(logprobs).some((list) => Array.isArray(list) && list.length > 0)) return
  const data = logprobs as Json
  out.push({ type: 'data', name: 'logprobs', id: voice.openId ?? messageId, data, transient: true, messageId })
}
