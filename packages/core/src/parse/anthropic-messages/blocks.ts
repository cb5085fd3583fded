import { present } from '../../data/present.ts'
import type { BlockVariant } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { addCitations } from '../kit/citations.ts'
import { isEmpty, keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { indirectCaller, keep } from './details.ts'
import type { AnyToolUse, Block, Citation, Delta } from './raw.ts'
import { citedBy, fileEvent, isToolResult, readResult } from './results.ts'

/** The state of a block until it stops: a stop does not name the kind of its block. */
export type OpenBlock =
  | { readonly kind: 'prose'; readonly id: string; citations: readonly Citation[] }
  /** `input` is the input that came with the start, unless one is streamed. */
  | { readonly kind: 'tool'; readonly id: string; input: Json | undefined }
  | { readonly kind: 'compaction'; readonly id: string; data: JsonObject }
  | { readonly kind: 'whole'; readonly id: string }

/** A seal names its provider: no other one can read it. */
const SIGNED = keep({ type: 'thinking' })
const REDACTED = keep({ type: 'redacted_thinking' })

type Openers = {
  readonly [Type in Block['type']]: (out: Out, block: Extract<Block, { type: Type }>, id: string) => OpenBlock
}

const openers: Openers = {
  text(out, { text = '', citations }, id) {
    const cited = citations ?? []
    out.push({ type: 'block-start', blockId: id, kind: 'text' })
    if (text !== '') out.push({ type: 'block-delta', blockId: id, text })
    if (cited.length > 0) addCitations(out, id, cited, 0, citedBy)
    return { kind: 'prose', id, citations: cited }
  },
  thinking(out, { thinking = '', signature }, id) {
    const block = openReasoning(out, id, 'thinking')
    if (thinking !== '') out.push({ type: 'block-delta', blockId: id, text: thinking })
    if (signature) out.push({ type: 'block-patch', blockId: id, signature, ...SIGNED })
    return block
  },
  redacted_thinking(out, { data }, id) {
    const block = openReasoning(out, id, 'redacted')
    out.push({ type: 'block-patch', blockId: id, encrypted: data, ...REDACTED })
    return block
  },
  tool_use: openTool,
  server_tool_use: openTool,
  mcp_tool_use: openTool,
  container_upload: (out, { file_id }, id) => openWhole(out, id, fileEvent(file_id)),
  compaction(out, { type: _, ...fields }, id) {
    const data = present(fields) as JsonObject
    if (isCompacted(data)) out.push(compactionEvent(id, data))
    return { kind: 'compaction', id, data }
  },
  mcp_tool_listing: (out, { type, ...data }, id) => openWhole(out, id, { type: 'data', name: type, id, data }),
  fallback(out, { from, to, trigger }, id) {
    const message = `${to.model} answers in place of ${from?.model ?? 'another model'}`
    const fallback = keep({ fallback: present({ from, to, trigger }) })
    out.push({ type: 'metadata', metadata: { model: to.model } })
    return openWhole(out, id, { type: 'status', message, level: 'warn', ...fallback })
  },
}
const openersByType = new Map(Object.entries(openers)) as Map<string, (out: Out, block: Block, id: string) => OpenBlock>

/**
 * Adds the events of a block's start, and returns its state. `id` is used if the block has no id of its own; `record`
 * is kept if its type is unknown.
 */
export function openBlock(out: Out, block: Block, id: string, record: unknown): OpenBlock {
  const opener = openersByType.get(block.type)
  if (opener !== undefined) return opener(out, block, id)
  if (isToolResult(block)) readResult(out, block)
  else keepRaw(out, record)
  return { kind: 'whole', id }
}

function openWhole(out: Out, id: string, event: StreamEvent): OpenBlock {
  out.push(event)
  return { kind: 'whole', id }
}

function openReasoning(out: Out, id: string, variant: BlockVariant): OpenBlock {
  out.push({ type: 'block-start', blockId: id, kind: 'reasoning', variant })
  return { kind: 'prose', id, citations: [] }
}

function openTool(out: Out, tool: AnyToolUse, minted: string): OpenBlock {
  const { type, name, caller, toolset_name, input } = tool
  const id = tool.id ?? minted
  const isClient = type === 'tool_use'
  out.push({
    type: 'tool-start',
    callId: id,
    name,
    runBy: isClient ? 'client' : 'provider',
    ...present({ server: tool.server_name, parentCallId: caller?.tool_id }),
    ...keep({ type: isClient ? undefined : type, caller: indirectCaller(caller), toolset_name }),
  })
  // At its start, a call whose input will be streamed carries the empty object.
  const isAbsent = input === null || (typeof input === 'object' && isEmpty(input))
  return { kind: 'tool', id, input: isAbsent ? undefined : input }
}

/** Adds the events of a block's end. */
export function closeBlock(out: Out, block: OpenBlock): void {
  if (block.kind === 'prose') out.push({ type: 'block-end', blockId: block.id })
  else if (block.kind === 'tool') out.push({ type: 'tool-input', callId: block.id, ...present({ input: block.input }) })
  else if (block.kind === 'compaction') out.push(compactionStatus(block.data))
}

/** The id lets a later event replace an earlier one. */
const compactionEvent = (id: string, data: JsonObject): StreamEvent => ({ type: 'data', name: 'compaction', id, data })

/** Compaction that failed has no content. */
const isCompacted = ({ content, encrypted_content }: JsonObject) => Boolean(content || encrypted_content)

function compactionStatus(data: JsonObject): StreamEvent {
  return isCompacted(data)
    ? { type: 'status', message: 'Conversation compacted', level: 'info' }
    : { type: 'status', message: 'The conversation could not be compacted', level: 'warn' }
}

/** Returns false, and changes nothing, if the delta does not fit its block. */
type Row<Type extends Delta['type']> = (out: Out, delta: Extract<Delta, { type: Type }>, block: OpenBlock) => boolean

/** Text and thinking come one event per token: these rows allocate only the event (bench/parse.ts). */
const rows: { readonly [Type in Delta['type']]: Row<Type> } = {
  text_delta: (out, { text }, block) => addText(out, text, block),
  thinking_delta: (out, { thinking }, block) => addText(out, thinking, block),
  input_json_delta(out, { partial_json: text }, block) {
    if (block.kind !== 'tool' || typeof text !== 'string') return false
    if (text === '') return true
    block.input = undefined
    return out.push({ type: 'tool-input-delta', callId: block.id, text }) > 0
  },
  signature_delta(out, { signature }, block) {
    if (block.kind === 'prose' && signature !== '')
      out.push({ type: 'block-patch', blockId: block.id, signature, ...SIGNED })
    return block.kind === 'prose'
  },
  citations_delta(out, { citation }, block) {
    if (block.kind !== 'prose') return false
    const citations = [...block.citations, citation]
    addCitations(out, block.id, citations, block.citations.length, citedBy)
    block.citations = citations
    return true
  },
  compaction_delta(out, { type: _, ...fields }, block) {
    if (block.kind !== 'compaction' || isEmpty(fields)) return false
    block.data = { ...block.data, ...(present(fields) as JsonObject) }
    if (!isEmpty(block.data)) out.push(compactionEvent(block.id, block.data))
    return true
  },
}

function addText(out: Out, text: string, block: OpenBlock): boolean {
  if (block.kind === 'prose' && text !== '') out.push({ type: 'block-delta', blockId: block.id, text })
  return block.kind === 'prose'
}

export const deltas = new Map(Object.entries(rows)) as ReadonlyMap<string, Row<Delta['type']>>

/** The block of a delta if the stream was joined after the start of the block. */
export const impliedBlocks: { readonly [type: string]: Block } = {
  text_delta: { type: 'text' },
  thinking_delta: { type: 'thinking' },
}
