import type { BlockVariant, RunBy } from '../../event-fields.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { type FileFields, fileOf } from './files.ts'
import { type LangMessage, objectOf, wordOf } from './message.ts'

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

export interface ResultPart {
  readonly kind: 'result'
  readonly id: string
  readonly output: Json
  readonly isError: boolean
}

export interface FilePart {
  readonly kind: 'file'
  readonly file: FileFields
}

/** The key of text outside of blocks, which continues the text before it. */
export const BARE = 'text'

type Read = (block: JsonObject, key: string) => readonly ContentPart[]

const NOTHING: readonly ContentPart[] = []

const text: Read = (block, key) => [
  {
    kind: 'text',
    key: `text:${key}`,
    text: String(block.text ?? ''),
    variant: block.phase === 'commentary' ? 'commentary' : undefined,
    citations: citationsOf(block.annotations ?? block.citations),
    signature: wordOf(objectOf(block.extras).signature),
  },
]

const thinking: Read = (block, key) => [
  {
    kind: 'reasoning',
    key: `reasoning:${key}`,
    text: String(block.thinking ?? ''),
    variant: 'thinking',
    signature: wordOf(block.signature),
  },
]

const redacted: Read = (block, key) => [
  { kind: 'reasoning', key: `redacted:${key}`, text: '', variant: 'redacted', encrypted: wordOf(block.data) },
]

/** Reasoning in LangChain's own blocks (`reasoning`) and in OpenAI's (`summary`, `content`). */
const reasoning: Read = (block, key) => {
  const reasoningText = wordOf(block.reasoning) ?? wordOf(block.text) ?? wordOf(objectOf(block.reasoningText).text)
  const signature = wordOf(block.signature) ?? wordOf(objectOf(block.extras).signature)
  const encrypted = wordOf(block.encrypted_content)
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
  reasoning(objectOf(block.reasoning_content ?? block.reasoningContent ?? block.reasoningText), key)

const refusal: Read = (block, key) => [
  { kind: 'text', key: `refusal:${key}`, text: String(block.refusal ?? ''), variant: 'refusal' },
]

const call =
  (runBy: RunBy): Read =>
  (block) => [
    {
      kind: 'call',
      runBy,
      id: wordOf(block.id) ?? wordOf(block.call_id),
      name: wordOf(block.name),
      index: indexOf(block.index),
      args: block.args ?? block.arguments ?? block.partial_json ?? block.input ?? undefined,
    },
  ]

const result: Read = (block) => {
  const id = wordOf(block.tool_use_id) ?? wordOf(block.tool_call_id) ?? wordOf(block.id)
  if (id === undefined) return [{ kind: 'other', value: block }]
  const output = block.content ?? block.output ?? ''
  const isError =
    block.is_error === true || block.status === 'error' || String(objectOf(output).type).endsWith('_error')
  return [{ kind: 'result', id, output, isError }]
}

const media: Read = (block) => {
  const file = fileOf(block)
  return file === undefined ? [{ kind: 'other', value: block }] : [{ kind: 'file', file }]
}

/** One row per type of block. A type without a row is identified by its suffix, or kept as it is. */
const rows: ReadonlyMap<string, Read> = new Map(
  Object.entries({
    text,
    output_text: text,
    text_delta: text,
    thinking,
    redacted_thinking: redacted,
    reasoning,
    reasoning_content: bedrockReasoning,
    refusal,
    tool_use: call('agent'),
    tool_call: call('agent'),
    tool_call_chunk: call('agent'),
    invalid_tool_call: call('agent'),
    function_call: call('agent'),
    input_json_delta: call('agent'),
    server_tool_use: call('provider'),
    mcp_tool_use: call('provider'),
    server_tool_call: call('provider'),
    server_tool_call_chunk: call('provider'),
    server_tool_result: result,
    server_tool_call_result: result,
    image: media,
    image_url: media,
    input_image: media,
    audio: media,
    video: media,
    file: media,
    media,
  }),
)

/** The parts of a message in order: its reasoning, then its content. */
export function contentPartsOf(message: LangMessage): readonly ContentPart[] {
  const { content, additionalKwargs } = message
  const before = Object.keys(additionalKwargs).length === 0 ? NOTHING : besideContent(additionalKwargs)
  if (typeof content === 'string') {
    return content === '' ? before : [...before, { kind: 'text', key: BARE, text: content }]
  }
  const parts = [...before]
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
function besideContent(fields: JsonObject): readonly ContentPart[] {
  const reasoningText = wordOf(fields.reasoning_content)
  const refused = wordOf(fields.refusal)
  return [
    ...(reasoningText === undefined
      ? NOTHING
      : [{ kind: 'reasoning' as const, key: 'reasoning_content', text: reasoningText }]),
    ...(isJsonObject(fields.reasoning) ? reasoning(fields.reasoning, 'beside') : NOTHING),
    ...(refused === undefined ? NOTHING : refusal(fields, 'beside')),
  ]
}

function reasoningParts(parts: Json | undefined, key: string, variant: BlockVariant): readonly Prose[] {
  if (!Array.isArray(parts)) return []
  return parts.filter(isJsonObject).map((part, index) => ({
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
