import { present } from '../../data/present.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { CallNames } from '../anthropic-messages/call-names.ts'
import { keep } from './details.ts'
import type { BlockStart, Citation, Delta, Media, ToolResult, ToolUse } from './raw.ts'

export interface Prose {
  readonly kind: 'text' | 'reasoning'
  readonly id: string
  citations: readonly Citation[]
  /** The redacted reasoning so far. */
  redacted: string
  hasMoreRedacted: boolean
  deltas: number
}

/** The state of a block until it stops: a stop does not name the kind of its block. */
export type OpenBlock =
  | Prose
  | { readonly kind: 'tool'; readonly id: string; input: Json | undefined }
  | { readonly kind: 'result'; readonly result: ToolResult; readonly content: Json[] }
  | { readonly kind: 'image'; readonly id: string; readonly format: string | undefined; readonly parts: Media[] }

export interface Opened {
  readonly block: OpenBlock
  readonly events: readonly StreamEvent[]
}

/** Opens a block at its start, which Bedrock sends for blocks other than prose. Returns undefined if it is unknown. */
export function openBlock(
  { toolUse, toolResult, image }: BlockStart,
  id: string,
  names: CallNames,
): Opened | undefined {
  if (toolUse) return openTool(toolUse, id, names)
  if (toolResult) return { block: { kind: 'result', result: answering(toolResult, names), content: [] }, events: [] }
  return image ? openImage(id, image.format ?? undefined) : undefined
}

function openImage(id: string, format: string | undefined): Opened {
  return { block: { kind: 'image', id, format, parts: [] }, events: [] }
}

/** The result with the id that its call has in the run. */
export function answering(result: ToolResult, names: CallNames): ToolResult {
  return { ...result, toolUseId: names.answer(result.toolUseId) }
}

/** The block of a delta if no start was sent. */
export function impliedBlock(delta: Delta, id: string): Opened | undefined {
  if (typeof delta.text === 'string' || delta.citation) return openProse('text', id)
  if (delta.reasoningContent)
    return openProse('reasoning', id, delta.reasoningContent.redactedContent ? 'redacted' : 'thinking')
  // The index may have been a text before, whose id no call may have.
  if (delta.toolUse) return { block: { kind: 'tool', id: `${id}:call`, input: undefined }, events: [] }
  return delta.image ? openImage(id, undefined) : undefined
}

export function openProse(kind: Prose['kind'], id: string, variant?: 'thinking' | 'redacted'): Opened {
  return {
    block: { kind, id, citations: [], redacted: '', hasMoreRedacted: false, deltas: 0 },
    events: [{ type: 'block-start', blockId: id, kind, ...present({ variant }) }],
  }
}

function openTool({ toolUseId, name, type, input }: ToolUse, minted: string, names: CallNames): Opened {
  const id = typeof toolUseId === 'string' ? names.start(toolUseId) : minted
  const start: EventOf<'tool-start'> = {
    type: 'tool-start',
    callId: id,
    name,
    runBy: type ? 'provider' : 'client',
    ...keep({ type: type ?? undefined }),
  }
  return { block: { kind: 'tool', id, input: input ?? undefined }, events: [start] }
}

const closers: {
  readonly [Kind in OpenBlock['kind']]: (block: Extract<OpenBlock, { kind: Kind }>) => readonly StreamEvent[]
} = {
  text: closeProse,
  reasoning: closeProse,
  tool: ({ id, input }) => [{ type: 'tool-input', callId: id, ...present({ input }) }],
  result: ({ result, content }) => [resultEvent(result, [...(result.content ?? []), ...content])],
  image: ({ id, format, parts }) => fileEvents(id, parts, format),
}

export function closeBlock(block: OpenBlock): readonly StreamEvent[] {
  return closers[block.kind](block as never)
}

function closeProse({ id, redacted, hasMoreRedacted }: Prose): readonly StreamEvent[] {
  const whole: StreamEvent[] = hasMoreRedacted ? [{ type: 'block-patch', blockId: id, encrypted: redacted }] : []
  return [...whole, { type: 'block-end', blockId: id }]
}

export function resultEvent({ toolUseId, status, type }: ToolResult, content: readonly Json[]): StreamEvent {
  const output = plainOutput(content)
  const isError = status === 'error'
  return {
    type: 'tool-output',
    callId: toolUseId,
    status: isError ? 'error' : 'ok',
    output,
    ...(isError && { error: typeof output === 'string' && output !== '' ? output : 'The tool failed' }),
    ...keep({ type: type ?? undefined }),
  }
}

/** Joins content that is only text. */
function plainOutput(content: readonly Json[]): Json {
  const texts = content.map((part) => (part as { readonly text?: Json } | null)?.text)
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content
}

/** In characters of base64. Larger content is only in the raw record. */
const MAX_BYTES = 64 * 1024

/** An image that came in parts. */
export function fileEvents(fileId: string, parts: readonly Media[], format: string | undefined): StreamEvent[] {
  const bytes = parts.map(({ source }) => source?.bytes ?? '').join('')
  const url = parts.find(({ source }) => source?.s3Location?.uri)?.source?.s3Location?.uri
  const errors = parts.flatMap(({ error }): StreamEvent[] =>
    error ? [{ type: 'error', message: error.message ?? 'An image could not be made' }] : [],
  )
  if (bytes === '' && !url) return errors
  const kind = format ?? parts.find((part) => part.format)?.format
  const file: StreamEvent = {
    type: 'file',
    fileId,
    mediaType: kind ? `image/${kind}` : 'image/*',
    ...present({ url, bytes: bytes !== '' && bytes.length <= MAX_BYTES ? bytes : undefined }),
  }
  return [file, ...errors]
}
