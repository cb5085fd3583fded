import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { SILENT, unmapped } from '../parser.ts'
import { indirectCaller, keep } from './details.ts'
import type { AnyToolUse, Block, Citation, Fallback } from './raw.ts'
import { fileEvent, isToolResult, resultEvents } from './results.ts'
import { citedSource } from './sources.ts'

/** The state of a block until it stops: a stop does not name the kind of its block. */
export type OpenBlock =
  | { readonly kind: 'prose'; readonly id: string; citations: readonly Citation[] }
  | { readonly kind: 'tool'; readonly id: string; readonly input: Json | undefined; isStreamed: boolean }
  | { readonly kind: 'compaction'; readonly id: string; data: JsonObject }
  | { readonly kind: 'whole'; readonly id: string }

export interface Opened {
  readonly block: OpenBlock
  readonly events: readonly StreamEvent[]
}

type Openers = {
  readonly [Type in Block['type']]: (block: Extract<Block, { type: Type }>, id: string) => Opened
}

const openers: Openers = {
  text({ text = '', citations }, id) {
    const cited = citations ?? []
    return {
      block: { kind: 'prose', id, citations: cited },
      events: [
        { type: 'block-start', blockId: id, kind: 'text' },
        ...textDelta(id, text),
        ...(cited.length === 0 ? [] : citationEvents(id, cited, 0)),
      ],
    }
  },
  thinking({ thinking = '', signature }, id) {
    const start: StreamEvent = { type: 'block-start', blockId: id, kind: 'reasoning', variant: 'thinking' }
    const signed: StreamEvent[] = signature ? [{ type: 'block-patch', blockId: id, signature }] : []
    return { block: { kind: 'prose', id, citations: [] }, events: [start, ...textDelta(id, thinking), ...signed] }
  },
  redacted_thinking: ({ data }, id) => ({
    block: { kind: 'prose', id, citations: [] },
    events: [
      { type: 'block-start', blockId: id, kind: 'reasoning', variant: 'redacted' },
      { type: 'block-patch', blockId: id, encrypted: data },
    ],
  }),
  tool_use: openTool,
  server_tool_use: openTool,
  mcp_tool_use: openTool,
  container_upload: ({ file_id }, id) => whole(id, [fileEvent(file_id)]),
  compaction({ type: _, ...fields }, id) {
    const data = present(fields) as JsonObject
    return { block: { kind: 'compaction', id, data }, events: isCompacted(data) ? [compactionEvent(id, data)] : SILENT }
  },
  mcp_tool_listing: ({ type, ...data }, id) => whole(id, [{ type: 'data', name: type, id, data }]),
  fallback: (block, id) => whole(id, fallbackEvents(block)),
}
const table = new Map(Object.entries(openers)) as Map<string, (block: Block, id: string) => Opened>

/**
 * The events of a block's start, and its state. `id` is used if the block has no id of its own; `record` is kept if its
 * type is unknown.
 */
export function openBlock(block: Block, id: string, record: unknown): Opened {
  const opener = table.get(block.type)
  if (opener !== undefined) return opener(block, id)
  return whole(id, isToolResult(block) ? resultEvents(block) : unmapped(record))
}

const closers: {
  readonly [Kind in OpenBlock['kind']]: (block: Extract<OpenBlock, { kind: Kind }>) => readonly StreamEvent[]
} = {
  prose: ({ id }) => [{ type: 'block-end', blockId: id }],
  tool: ({ id, input, isStreamed }) => [
    { type: 'tool-input', callId: id, ...present({ input: isStreamed ? undefined : input }) },
  ],
  compaction: ({ data }) => [compactionStatus(data)],
  whole: () => SILENT,
}

export function closeBlock(block: OpenBlock): readonly StreamEvent[] {
  return closers[block.kind](block as never)
}

/** The citations so far, in the provider's shape, and the sources of those from index `first` on. */
export function citationEvents(blockId: string, citations: readonly Citation[], first: number): StreamEvent[] {
  return [
    { type: 'block-patch', blockId, citations },
    ...citations.slice(first).flatMap((citation, index) => citedSource(citation, blockId, first + index)),
  ]
}

/** The id lets a later event replace an earlier one. */
export function compactionEvent(id: string, data: JsonObject): StreamEvent {
  return { type: 'data', name: 'compaction', id, data }
}

/** Compaction that failed has no content. */
function isCompacted({ content, encrypted_content }: JsonObject): boolean {
  return Boolean(content || encrypted_content)
}

function compactionStatus(data: JsonObject): StreamEvent {
  return isCompacted(data)
    ? { type: 'status', message: 'Conversation compacted', level: 'info' }
    : { type: 'status', message: 'The conversation could not be compacted', level: 'warn' }
}

function openTool(tool: AnyToolUse, minted: string): Opened {
  const { type, name, caller, toolset_name } = tool
  const id = tool.id ?? minted
  const start: StreamEvent = {
    type: 'tool-start',
    callId: id,
    name,
    runBy: type === 'tool_use' ? 'client' : 'provider',
    ...present({ server: tool.server_name, parentCallId: caller?.tool_id }),
    ...keep({
      type: type === 'tool_use' ? undefined : type,
      caller: indirectCaller(caller),
      toolset_name: toolset_name ?? undefined,
    }),
  }
  const input = isEmpty(tool.input) ? undefined : tool.input
  return { block: { kind: 'tool', id, input, isStreamed: false }, events: [start] }
}

/** At its start, a call whose input will be streamed carries the empty object. */
function isEmpty(input: Json | undefined): boolean {
  if (input === undefined || input === null) return true
  return typeof input === 'object' && Object.keys(input).length === 0
}

function fallbackEvents(block: Fallback): StreamEvent[] {
  const { from, to, trigger } = block
  return [
    { type: 'metadata', metadata: { model: to.model } },
    {
      type: 'status',
      message: `${to.model} answers in place of ${from?.model ?? 'another model'}`,
      level: 'warn',
      ...keep({ fallback: present({ from, to, trigger }) as JsonObject }),
    },
  ]
}

function whole(id: string, events: readonly StreamEvent[]): Opened {
  return { block: { kind: 'whole', id }, events }
}

function textDelta(blockId: string, text: string): StreamEvent[] {
  return text === '' ? [] : [{ type: 'block-delta', blockId, text }]
}
