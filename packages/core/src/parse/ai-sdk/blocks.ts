import { remember } from '../../data/remember.ts'
import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { SILENT } from '../parser.ts'
import { placeOf, type Split, split } from './metadata.ts'
import type { Delta, ProviderMetadata } from './raw.ts'

/** What Millrace says of a block beside its text. */
const OWN: ReadonlySet<string> = new Set(['variant', 'agentId', 'signature', 'encrypted', 'citations', 'interrupted'])

interface Ended {
  readonly id: string
  readonly citations?: readonly Json[] | null
  readonly providerMetadata?: ProviderMetadata | null
}

export interface Blocks {
  start(kind: BlockKind, id: string, metadata: ProviderMetadata | null | undefined): StreamEvent[]
  add(kind: BlockKind, raw: Delta): StreamEvent[]
  end(kind: BlockKind, raw: Ended): readonly StreamEvent[]
  /** The id under which a block went on, of those that the stream gave this id. */
  idOf(id: string): string
}

/** Ids tell blocks of one step apart, and of one kind: what goes on from here is unique in the run. */
export function createBlocks(): Blocks {
  const open: { readonly [Kind in BlockKind]: Map<string, string> } = { text: new Map(), reasoning: new Map() }
  const taken = new Map<string, string>()
  let count = 0

  function start(kind: BlockKind, id: string, metadata: ProviderMetadata | null | undefined): StreamEvent[] {
    if (typeof id !== 'string') throw new TypeError('A block has no id.')
    const said = split(metadata, OWN)
    count++
    const blockId = taken.has(id) ? `${id}:${count}` : id
    remember(taken, id, blockId)
    open[kind].set(id, blockId)
    return [
      { ...placeOf(said), type: 'block-start', blockId, kind, ...variantOf(said, kind) },
      ...patches(blockId, kind, { own: said.own, ...(said.meta && { meta: said.meta }) }, false),
    ]
  }

  return {
    start,
    add(kind, raw) {
      const text = raw.delta ?? raw.text
      if (typeof text !== 'string') throw new TypeError('A delta has no text.')
      const before = open[kind].get(raw.id)
      if (before !== undefined && !raw.providerMetadata) return [{ type: 'block-delta', blockId: before, text }]
      const events = before === undefined ? start(kind, raw.id, undefined) : []
      const blockId = before ?? open[kind].get(raw.id) ?? raw.id
      if (text !== '') events.push({ type: 'block-delta', blockId, text })
      return [...events, ...patches(blockId, kind, split(raw.providerMetadata, OWN), true)]
    },
    end(kind, { id, citations, providerMetadata }) {
      const blockId = open[kind].get(id)
      if (blockId === undefined) return typeof id === 'string' && !citations && !providerMetadata ? SILENT : []
      const said = split(providerMetadata, OWN)
      open[kind].delete(id)
      const { agentId: _agentId, ...place } = placeOf(said)
      const isCut = said.own.interrupted === true
      const own = citations ? { ...said.own, citations } : said.own
      return [
        ...patches(blockId, kind, { ...said, own }, false),
        { ...place, type: 'block-end', blockId, ...(isCut && { interrupted: true }) },
      ]
    },
    idOf: (id) => taken.get(id) ?? id,
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

function variantOf(said: Split, kind: BlockKind): { readonly variant?: BlockVariant } {
  if (VARIANTS.has(said.own.variant)) return { variant: said.own.variant as BlockVariant }
  if (kind === 'text') return {}
  return { variant: found(said, 'redactedData') === undefined ? 'thinking' : 'redacted' }
}

/** What is assigned to a block: our own words first, else those that providers have for it. */
function patches(blockId: string, kind: BlockKind, said: Split, isMetaNew: boolean): StreamEvent[] {
  const isThought = kind === 'reasoning'
  const signature = said.own.signature ?? (isThought ? found(said, 'signature', 'thoughtSignature') : undefined)
  const encrypted =
    said.own.encrypted ?? (isThought ? found(said, 'redactedData', 'reasoningEncryptedContent') : undefined)
  const citations = said.own.citations ?? said.meta?.anthropic?.citations
  const patch = {
    ...(typeof signature === 'string' && { signature }),
    ...(typeof encrypted === 'string' && { encrypted }),
    ...(Array.isArray(citations) && { citations }),
    ...(isMetaNew && said.meta !== undefined && { meta: said.meta }),
  }
  return Object.keys(patch).length === 0 ? [] : [{ type: 'block-patch', blockId, ...patch }]
}

/** The first of these fields that any provider gave. */
function found({ meta = {} }: Split, ...fields: readonly string[]): string | undefined {
  for (const values of Object.values(meta)) {
    if (!isJsonObject(values)) continue
    const value = fields.map((field) => values[field]).find((one) => typeof one === 'string')
    if (typeof value === 'string') return value
  }
  return undefined
}
