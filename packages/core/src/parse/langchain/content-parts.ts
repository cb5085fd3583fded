import { present } from '../../data/present.ts'
import type { BlockVariant, RunBy } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { fileContent } from '../kit/file.ts'
import { isEmpty, keep } from '../kit/keep.ts'
import { byNames } from '../kit/rows.ts'
import type { LangMessage } from './message.ts'

/** A part of the content of a message, read from the format of any provider. */
export type ContentPart = Prose | CallPart | ResultPart | FilePart | { readonly kind: 'other'; readonly value: Json }

export interface Prose {
  readonly kind: 'text' | 'reasoning'
  /** Parts with the same key belong to one block. */
  readonly key: string
  readonly text: string
  readonly variant?: BlockVariant | undefined
  readonly signature?: string | undefined
  readonly encrypted?: string | undefined
  readonly citations?: readonly Json[] | undefined
}

export interface CallPart {
  readonly kind: 'call'
  readonly runBy: RunBy
  readonly id: string | undefined
  readonly name: string | undefined
  readonly index: string | undefined
  /** A text is a fragment of the input or the whole input. Any other value is the whole input. */
  readonly args: Json | undefined
}

interface ResultPart {
  readonly kind: 'result'
  readonly id: string
  readonly output: Json
  readonly isError: boolean
}

type FilePart = { readonly kind: 'file'; readonly file: Omit<EventOf<'file'>, 'type' | 'fileId'> }

/** The key of text outside of blocks, which continues the text before it. */
export const BARE = 'text'

type Read = (block: JsonObject, key: string) => readonly ContentPart[]

const text: Read = (block, key) => [
  {
    kind: 'text',
    key: `text:${key}`,
    text: String(block.text ?? ''),
    variant: block.phase === 'commentary' ? 'commentary' : undefined,
    citations: citationsOf(block.annotations ?? block.citations),
    signature: textIn(objectIn(block.extras).signature),
  },
]

const thinking: Read = (block, key) => [
  {
    kind: 'reasoning',
    key: `reasoning:${key}`,
    text: String(block.thinking ?? ''),
    variant: 'thinking',
    signature: textIn(block.signature),
  },
]

const redacted: Read = (block, key) => [
  { kind: 'reasoning', key: `redacted:${key}`, text: '', variant: 'redacted', encrypted: textIn(block.data) },
]

/** Reasoning in LangChain's own blocks (`reasoning`) and in OpenAI's (`summary`, `content`). */
const reasoning: Read = (block, key) => {
  const reasoningText = textIn(block.reasoning) ?? textIn(block.text) ?? textIn(objectIn(block.reasoningText).text)
  const signature = textIn(block.signature) ?? textIn(objectIn(block.extras).signature)
  const encrypted = textIn(block.encrypted_content)
  const parts = [
    ...reasoningParts(block.summary, key, 'summary'),
    ...reasoningParts(block.content, `${key}:content`, 'thinking'),
  ]
  const last = parts.at(-1)
  if (reasoningText !== undefined || last === undefined)
    return [...parts, { kind: 'reasoning', key: `reasoning:${key}`, text: reasoningText ?? '', signature, encrypted }]
  return [...parts.slice(0, -1), { ...last, signature, encrypted }]
}

const bedrockReasoning: Read = (block, key) =>
  reasoning(objectIn(block.reasoning_content ?? block.reasoningContent ?? block.reasoningText), key)

const refusal: Read = (block, key) => [
  { kind: 'text', key: `refusal:${key}`, text: String(block.refusal ?? ''), variant: 'refusal' },
]

const call =
  (runBy: RunBy): Read =>
  (block) => [
    {
      kind: 'call',
      runBy,
      id: textIn(block.id) ?? textIn(block.call_id),
      name: textIn(block.name),
      index: indexOf(block.index),
      args: block.args ?? block.arguments ?? block.partial_json ?? block.input ?? undefined,
    },
  ]

const result: Read = (block) => {
  const id = textIn(block.tool_use_id) ?? textIn(block.tool_call_id) ?? textIn(block.id)
  if (id === undefined) return [{ kind: 'other', value: block }]
  const output = block.content ?? block.output ?? ''
  const isError =
    block.is_error === true || block.status === 'error' || String(objectIn(output).type).endsWith('_error')
  return [{ kind: 'result', id, output, isError }]
}

/** The media types of blocks that do not declare one. */
const defaultTypes = byNames([
  ['image/*', 'image image_url input_image'],
  ['image/png', 'image_generation_call'],
  ['audio/*', 'audio'],
  ['video/*', 'video'],
])

/** The file that an image, audio, video or document block holds or names. */
const media: Read = (block) => {
  const source = isJsonObject(block.source) ? block.source : isJsonObject(block.resource) ? block.resource : block
  const address = block.image_url ?? block.file_data ?? block.url ?? block.file_uri
  const url = textIn(address) ?? textIn(objectIn(address).url) ?? textIn(source.url)
  const base64 = textIn(block.base64) ?? textIn(source.data) ?? textIn(source.blob) ?? textIn(block.result)
  const file_id = textIn(block.file_id)
  if (url === undefined && base64 === undefined && file_id === undefined) return [{ kind: 'other', value: block }]
  const mediaType = textIn(block.mime_type) ?? textIn(block.mimeType) ?? textIn(source.media_type ?? source.mimeType)
  const filename = textIn(block.filename) ?? textIn(block.name) ?? textIn(block.title)
  const content = fileContent(
    { base64, url, mediaType },
    defaultTypes.get(String(block.type)) ?? 'application/octet-stream',
  )
  return [{ kind: 'file', file: { ...content, ...present({ filename }), ...keep('langchain', { file_id }) } }]
}

/** The types of blocks. A type without a row is identified by its suffix, or kept as it is. */
const rows: ReadonlyMap<string, Read> = byNames<Read>([
  [text, 'text output_text text_delta'],
  [thinking, 'thinking'],
  [redacted, 'redacted_thinking'],
  [reasoning, 'reasoning'],
  [bedrockReasoning, 'reasoning_content'],
  [refusal, 'refusal'],
  [call('agent'), 'tool_use tool_call tool_call_chunk invalid_tool_call function_call input_json_delta'],
  [call('provider'), 'server_tool_use mcp_tool_use server_tool_call server_tool_call_chunk'],
  [result, 'server_tool_result server_tool_call_result'],
  [media, 'image image_url input_image image_generation_call audio video file input_file document resource media'],
])

/** The parts of a message in order: its reasoning, then its content. */
export function contentPartsOf({ content, additionalKwargs }: LangMessage): readonly ContentPart[] {
  const parts = isEmpty(additionalKwargs) ? [] : besideContent(additionalKwargs)
  if (typeof content === 'string') {
    if (content !== '') parts.push({ kind: 'text', key: BARE, text: content })
    return parts
  }
  for (const block of content) {
    const last = parts.at(-1)
    if (typeof block === 'string' && last?.kind === 'text' && last.variant === undefined)
      parts[parts.length - 1] = { ...last, text: last.text + block }
    else parts.push(...partsOfBlock(block))
  }
  return parts
}

export function partsOfBlock(block: Json): readonly ContentPart[] {
  if (typeof block === 'string') return [{ kind: 'text', key: BARE, text: block }]
  if (!isJsonObject(block)) return [{ kind: 'other', value: block }]
  const type = String(block.type)
  const read = rows.get(type) ?? (type.endsWith('_tool_result') ? result : undefined)
  return read === undefined ? [{ kind: 'other', value: block }] : read(block, indexOf(block.index) ?? '')
}

/** Reasoning and refusals that integrations store beside the content. */
function besideContent(fields: JsonObject): ContentPart[] {
  const parts: ContentPart[] = []
  const reasoningText = textIn(fields.reasoning_content)
  if (reasoningText !== undefined) parts.push({ kind: 'reasoning', key: 'reasoning_content', text: reasoningText })
  else if (typeof fields.reasoning_content === 'object' && fields.reasoning_content !== null)
    parts.push({ kind: 'other', value: fields.reasoning_content })
  if (isJsonObject(fields.reasoning)) parts.push(...reasoning(fields.reasoning, 'beside'))
  if (textIn(fields.refusal) !== undefined) parts.push(...refusal(fields, 'beside'))
  return parts
}

function reasoningParts(parts: Json | undefined, key: string, variant: BlockVariant): readonly Prose[] {
  return objectsIn(parts).map((part, index) => ({
    kind: 'reasoning',
    key: `${variant}:${key}:${indexOf(part.index) ?? index}`,
    text: String(part.text ?? ''),
    variant,
  }))
}

function citationsOf(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined
}

export function indexOf(index: Json | undefined): string | undefined {
  return typeof index === 'number' || typeof index === 'string' ? String(index) : undefined
}
