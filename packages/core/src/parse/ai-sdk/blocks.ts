import { remember } from '../../data/remember.ts'
import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { SILENT } from '../parser.ts'
import { type SplitMetadata, scopeOf, splitMetadata } from './metadata.ts'
import type { Delta, ProviderMetadata } from './raw.ts'

/** The marks of Millrace on a block. */
const MARK_KEYS: ReadonlySet<string> = new Set([
  'variant',
  'agentId',
  'signature',
  'encrypted',
  'citations',
  'interrupted',
])

type Metadata = ProviderMetadata | null | undefined

interface Ended {
  readonly id: string
  readonly citations?: readonly Json[] | null
  readonly providerMetadata?: ProviderMetadata | null
}

export interface Blocks {
  start(kind: BlockKind, id: string, metadata: Metadata): StreamEvent[]
  add(kind: BlockKind, raw: Delta): StreamEvent[]
  end(kind: BlockKind, raw: Ended): readonly StreamEvent[]
  /** The block id of the latest block that has this id in the stream. */
  idOf(id: string): string
}

/** Ids of the stream are unique only within a step and a kind; block ids are unique in the run. */
export function createBlocks(): Blocks {
  const open: { readonly [Kind in BlockKind]: Map<string, string> } = { text: new Map(), reasoning: new Map() }
  const blockIds = new Map<string, string>()
  let count = 0

  /** The events that open the block are added to `events`. */
  function begin(kind: BlockKind, id: string, metadata: Metadata, events: StreamEvent[]): string {
    if (typeof id !== 'string') throw new TypeError('A block has no id.')
    const split = splitMetadata(metadata, MARK_KEYS)
    count++
    const blockId = blockIds.has(id) ? `${id}:${count}` : id
    remember(blockIds, id, blockId)
    remember(open[kind], id, blockId)
    events.push(
      { ...scopeOf(split), type: 'block-start', blockId, kind, ...variantOf(split, kind) },
      ...patches(blockId, kind, split, false),
    )
    return blockId
  }

  return {
    start(kind, id, metadata) {
      const events: StreamEvent[] = []
      begin(kind, id, metadata, events)
      return events
    },
    add(kind, raw) {
      const text = raw.delta ?? raw.text
      if (typeof text !== 'string') throw new TypeError('A delta has no text.')
      const before = open[kind].get(raw.id)
      if (before !== undefined && !raw.providerMetadata) return [{ type: 'block-delta', blockId: before, text }]
      const events: StreamEvent[] = []
      const blockId = before ?? begin(kind, raw.id, undefined, events)
      if (text !== '') events.push({ type: 'block-delta', blockId, text })
      return [...events, ...patches(blockId, kind, splitMetadata(raw.providerMetadata, MARK_KEYS), true)]
    },
    end(kind, { id, citations, providerMetadata }) {
      const blockId = open[kind].get(id)
      if (blockId === undefined) return typeof id === 'string' && !citations && !providerMetadata ? SILENT : []
      const split = splitMetadata(providerMetadata, MARK_KEYS)
      open[kind].delete(id)
      const { agentId: _agentId, ...scope } = scopeOf(split)
      const isCut = split.marks.interrupted === true
      const marks = citations ? { ...split.marks, citations } : split.marks
      return [
        ...patches(blockId, kind, { ...split, marks }, false),
        { ...scope, type: 'block-end', blockId, ...(isCut && { interrupted: true }) },
      ]
    },
    idOf: (id) => blockIds.get(id) ?? id,
  }
}

const VARIANTS: ReadonlySet<unknown> = new Set([
  'thinking',
  'plan',
  'summary',
  'commentary',
  'refusal',
  'redacted',
  'think-tool',
  'think-tag',
])

function variantOf(split: SplitMetadata, kind: BlockKind): { readonly variant?: BlockVariant } {
  if (VARIANTS.has(split.marks.variant)) return { variant: split.marks.variant as BlockVariant }
  if (kind === 'text') return {}
  return { variant: firstField(split, 'redactedData') === undefined ? 'thinking' : 'redacted' }
}

/** The patch of a block: from the marks of Millrace first, else from the fields of providers. */
function patches(blockId: string, kind: BlockKind, split: SplitMetadata, isMetaNew: boolean): StreamEvent[] {
  const isThought = kind === 'reasoning'
  const signature =
    split.marks.signature ?? (isThought ? firstField(split, 'signature', 'thoughtSignature') : undefined)
  const encrypted =
    split.marks.encrypted ?? (isThought ? firstField(split, 'redactedData', 'reasoningEncryptedContent') : undefined)
  const citations = split.marks.citations ?? split.meta?.anthropic?.citations
  const patch = {
    ...(typeof signature === 'string' && { signature }),
    ...(typeof encrypted === 'string' && { encrypted }),
    ...(Array.isArray(citations) && { citations }),
    ...(isMetaNew && split.meta !== undefined && { meta: split.meta }),
  }
  return Object.keys(patch).length === 0 ? [] : [{ type: 'block-patch', blockId, ...patch }]
}

/** The first of these fields that any provider sent. */
function firstField({ meta = {} }: SplitMetadata, ...fields: readonly string[]): string | undefined {
  for (const values of Object.values(meta)) {
    const value = fields.map((field) => values[field]).find((value) => typeof value === 'string')
    if (typeof value === 'string') return value
  }
  return undefined
}
