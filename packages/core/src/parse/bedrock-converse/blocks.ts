import { present } from '../../data/present.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { CallNames } from '../kit/call-names.ts'
import { addCitations, type Cited } from '../kit/citations.ts'
import { objectIn, objectsIn, type Sparse, textIn } from '../kit/fields.ts'
import { fileContent } from '../kit/file.ts'
import { isEmpty, keep as keepOf, keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { keep } from './details.ts'
import type { BlockStart, Citation, Delta, Media, ReasoningDelta, ToolResult, ToolUse, WholeBlock } from './raw.ts'

export interface Prose {
  readonly kind: 'text' | 'reasoning'
  readonly id: string
  citations: readonly Citation[]
  /** The redacted reasoning so far. */
  redacted: string
  hasMoreRedacted: boolean
  deltas: number
}

interface Call {
  readonly kind: 'tool'
  readonly id: string
  input: Json | undefined
}

/** The state of a block until it stops: a stop does not name the kind of its block. */
export type OpenBlock =
  | Prose
  | Call
  | { readonly kind: 'result'; readonly result: ToolResult; readonly content: Json[] }
  | { readonly kind: 'image'; readonly id: string; readonly format: string | undefined; readonly parts: Media[] }

/** Opens a block at its start, which Bedrock sends for blocks other than prose. Returns undefined if it is unknown. */
export function openBlock(out: Out, start: BlockStart, id: string, names: CallNames): OpenBlock | undefined {
  const { toolUse, toolResult, image } = start
  if (toolUse) return openTool(out, toolUse, id, names)
  if (toolResult) return { kind: 'result', result: answering(toolResult, names), content: [] }
  return image ? { kind: 'image', id, format: image.format ?? undefined, parts: [] } : undefined
}

/** The result with the id that its call has in the run. */
function answering(result: ToolResult, names: CallNames): ToolResult {
  return { ...result, toolUseId: names.answer(result.toolUseId) }
}

/** The block of a delta if no start was sent. */
export function impliedBlock(out: Out, delta: Delta, id: string): OpenBlock | undefined {
  if (typeof delta.text === 'string' || delta.citation) return openProse(out, 'text', id)
  if (delta.reasoningContent)
    return openProse(out, 'reasoning', id, delta.reasoningContent.redactedContent ? 'redacted' : 'thinking')
  // The index may have been a text before, whose id no call may have.
  if (delta.toolUse) return { kind: 'tool', id: `${id}:call`, input: undefined }
  return delta.image ? { kind: 'image', id, format: undefined, parts: [] } : undefined
}

function openProse(out: Out, kind: Prose['kind'], id: string, variant?: 'thinking' | 'redacted'): Prose {
  out.push({ type: 'block-start', blockId: id, kind, ...present({ variant }) })
  return { kind, id, citations: [], redacted: '', hasMoreRedacted: false, deltas: 0 }
}

function openTool(out: Out, { toolUseId, name, type, input }: ToolUse, minted: string, names: CallNames): Call {
  const id = typeof toolUseId === 'string' ? names.start(toolUseId) : minted
  out.push({ type: 'tool-start', callId: id, name, runBy: type ? 'provider' : 'client', ...keep({ type }) })
  return { kind: 'tool', id, input: input ?? undefined }
}

/** Returns false and changes nothing if the delta does not fit its block. */
export function readDelta(out: Out, delta: Delta, block: OpenBlock): boolean {
  if (typeof delta.text === 'string') return block.kind === 'text' && readText(out, delta.text, block)
  if (delta.reasoningContent) return block.kind === 'reasoning' && readReasoning(out, delta.reasoningContent, block)
  if (delta.toolUse) return block.kind === 'tool' && readInput(out, delta.toolUse.input, block)
  if (delta.citation) {
    if (block.kind !== 'text') return false
    const first = block.citations.length
    block.citations = [...block.citations, delta.citation]
    addCitations(out, block.id, block.citations, first, citedBy)
  } else if (delta.toolResult && block.kind === 'result') block.content.push(...delta.toolResult)
  else if (isMedia(delta.image) && block.kind === 'image') block.parts.push(delta.image)
  else return false
  return true
}

/** Whether the error of an image can be read: it is emitted when the block stops. */
function isMedia(image: Delta['image']): image is Media {
  if (!isJsonObject(image)) return false
  const error = image.error ?? {}
  return isJsonObject(error) && (isEmpty(error) || typeof error.message === 'string')
}

function readText(out: Out, text: string, block: Prose): true {
  block.deltas++
  if (text !== '') out.push({ type: 'block-delta', blockId: block.id, text })
  return true
}

function readReasoning(out: Out, { text, signature, redactedContent }: ReasoningDelta, block: Prose): boolean {
  if (typeof text === 'string') return readText(out, text, block)
  // Only Claude signs its thoughts, and accepts the signature on every platform.
  if (typeof signature === 'string')
    out.push({ type: 'block-patch', blockId: block.id, signature, ...keepOf('anthropic', { type: 'thinking' }) })
  else if (typeof redactedContent === 'string') {
    // The stop emits all parts at once, because a patch replaces the earlier value.
    block.hasMoreRedacted = block.redacted !== ''
    block.redacted += redactedContent
    if (!block.hasMoreRedacted) out.push({ type: 'block-patch', blockId: block.id, encrypted: redactedContent })
  } else return false
  return true
}

/** Some gateways send the whole input as an object. */
function readInput(out: Out, input: Json | undefined, block: Call): boolean {
  if (typeof input === 'object' && input !== null) block.input = input
  else if (typeof input !== 'string') return false
  else if (input !== '') out.push({ type: 'tool-input-delta', callId: block.id, text: input })
  return true
}

function citedBy({ title, source, sourceContent, location }: Citation): Cited {
  const snippet = (sourceContent ?? []).map(({ text }) => text ?? '').join('')
  return { address: textIn(location?.web?.url) ?? source, title, snippet }
}

/** Adds the events of a block's end. */
export function closeBlock(out: Out, block: OpenBlock): void {
  if (block.kind === 'tool') out.push({ type: 'tool-input', callId: block.id, ...present({ input: block.input }) })
  else if (block.kind === 'result') addResult(out, block.result, [...(block.result.content ?? []), ...block.content])
  else if (block.kind === 'image') addImage(out, block.id, block.parts, block.format)
  else {
    const { id: blockId, redacted, hasMoreRedacted } = block
    if (hasMoreRedacted) out.push({ type: 'block-patch', blockId, encrypted: redacted })
    out.push({ type: 'block-end', blockId })
  }
}

function addResult(out: Out, { toolUseId: callId, status, type }: ToolResult, content: readonly Json[]): void {
  const texts = content.map((part) => objectIn(part).text)
  // Content that is only text is joined.
  const output = texts.every((text) => typeof text === 'string') ? texts.join('') : content
  const isError = status === 'error'
  out.push({
    type: 'tool-output',
    callId,
    status: isError ? 'error' : 'ok',
    output,
    ...(isError && { error: typeof output === 'string' && output !== '' ? output : 'The tool failed' }),
    ...keep({ type }),
  })
  for (const [index, part] of objectsIn(content).entries()) addResultFile(out, part as ResultPart, callId, index)
}

type ResultPart = Sparse<{ image: Media; video: Media; document: Media & Sparse<{ name: string }> }>

function addResultFile(out: Out, { image, video, document }: ResultPart, callId: string, index: number): void {
  const { format, source } = image ?? video ?? document ?? {}
  const sent = { base64: source?.bytes, url: source?.s3Location?.uri }
  if (!sent.base64 && !sent.url) return
  const family = image ? 'image' : video ? 'video' : 'application'
  const mediaType = document && format !== 'pdf' ? 'application/octet-stream' : `${family}/${format ?? '*'}`
  const fileId = `${callId}:file-${index}`
  out.push({ type: 'file', fileId, ...fileContent(sent, mediaType), callId, ...present({ filename: document?.name }) })
}

/** An image, which may come in parts. */
function addImage(out: Out, fileId: string, parts: readonly Media[], format: string | undefined): void {
  const base64 = parts.map(({ source }) => source?.bytes ?? '').join('')
  const url = parts.find(({ source }) => source?.s3Location?.uri)?.source?.s3Location?.uri
  const type = format ?? parts.find((part) => part.format)?.format ?? '*'
  if (base64 !== '' || url) out.push({ type: 'file', fileId, ...fileContent({ base64, url }, `image/${type}`) })
  for (const { error } of parts)
    if (error) out.push({ type: 'error', message: error.message ?? 'An image could not be made' })
}

/** A block of a response that was not streamed. */
export function readWhole(out: Out, block: WholeBlock, id: string, names: CallNames): void {
  const { text, toolUse, toolResult, reasoningContent, citationsContent, image } = block
  if (typeof text === 'string' || citationsContent) {
    const { content, citations } = citationsContent ?? {}
    const prose = openProse(out, 'text', id)
    readText(out, text ?? (content ?? []).map((part) => part.text ?? '').join(''), prose)
    if (citations && citations.length > 0) addCitations(out, id, citations, 0, citedBy)
    closeBlock(out, prose)
  } else if (reasoningContent) {
    const { reasoningText, redactedContent } = reasoningContent
    const { text: thought = '', signature } = reasoningText ?? {}
    const prose = openProse(out, 'reasoning', id, redactedContent ? 'redacted' : 'thinking')
    readReasoning(out, redactedContent ? { redactedContent } : { text: thought }, prose)
    if (signature && !redactedContent) readReasoning(out, { signature }, prose)
    closeBlock(out, prose)
  } else if (toolResult) addResult(out, answering(toolResult, names), toolResult.content ?? [])
  else if (image) addImage(out, id, [image], undefined)
  else if (toolUse) closeBlock(out, openTool(out, toolUse, id, names))
  else keepRaw(out, block)
}
