import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { BlockKind, BlockVariant } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isEmpty } from '../kit/keep.ts'
import { namesIn } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { firstField, NO_METADATA, type SplitMetadata, scopeOf, splitMetadata, textFields } from './metadata.ts'
import type { BlockFields } from './raw.ts'

/** The marks of Millrace on a block. */
const MARK_KEYS = namesIn('variant agentId signature encrypted citations answer interrupted')

/** Ids of the stream are unique only within a step and a kind; block ids are unique in the run. */
export function createBlocks() {
  const open: { readonly [Kind in BlockKind]: Map<string, string> } = { text: new Map(), reasoning: new Map() }
  const blockIds = new Map<string, string>()
  let count = 0

  function start(out: Out, kind: BlockKind, { id, providerMetadata }: BlockFields): string {
    if (typeof id !== 'string') throw new TypeError('A block has no id.')
    const split = splitMetadata(providerMetadata, MARK_KEYS)
    count++
    const blockId = blockIds.has(id) ? `${id}:${count}` : id
    remember(blockIds, id, blockId)
    remember(open[kind], id, blockId)
    out.push({ ...scopeOf(split), type: 'block-start', blockId, kind, ...variantOf(split, kind) })
    patch(out, blockId, kind, split, false)
    return blockId
  }

  return {
    start,
    add(out: Out, kind: BlockKind, raw: BlockFields): void {
      const text = raw.delta ?? raw.text
      if (typeof text !== 'string') throw new TypeError('A delta has no text.')
      const blockId = open[kind].get(raw.id) ?? start(out, kind, { id: raw.id })
      if (text !== '') out.push({ type: 'block-delta', blockId, text })
      if (raw.providerMetadata) patch(out, blockId, kind, splitMetadata(raw.providerMetadata, MARK_KEYS), true)
    },
    end(out: Out, kind: BlockKind, { id, citations, providerMetadata }: BlockFields): void {
      const blockId = open[kind].get(id)
      if (blockId === undefined) {
        if (typeof id !== 'string' || citations || providerMetadata) throw new TypeError('A block has no start.')
        return
      }
      const split = splitMetadata(providerMetadata, MARK_KEYS)
      open[kind].delete(id)
      const { agentId: _agentId, ...scope } = scopeOf(split)
      const marks = citations ? { ...split.marks, citations } : split.marks
      patch(out, blockId, kind, { ...split, marks }, false)
      out.push({ ...scope, type: 'block-end', blockId, ...(marks.interrupted === true && { interrupted: true }) })
    },
    /** The block id of the latest block that has this id in the stream. */
    idOf: (id: string) => blockIds.get(id) ?? id,
  }
}

const VARIANTS: ReadonlySet<unknown> = namesIn('thinking plan summary commentary refusal redacted think-tool think-tag')

function variantOf(split: SplitMetadata, kind: BlockKind): { readonly variant?: BlockVariant } {
  if (VARIANTS.has(split.marks.variant)) return { variant: split.marks.variant as BlockVariant }
  if (kind === 'text') return {}
  return { variant: firstField(split, 'redactedData') === undefined ? 'thinking' : 'redacted' }
}

/** The patch of a block: from the marks of Millrace first, else from the fields of providers. */
function patch(out: Out, blockId: string, kind: BlockKind, split: SplitMetadata, isMetaNew: boolean): void {
  const { marks, meta } = split
  const thought = kind === 'reasoning' ? split : NO_METADATA
  const citations = marks.citations ?? meta?.anthropic?.citations
  const fields = {
    ...present({
      signature: firstField(thought, 'signature', 'thoughtSignature'),
      encrypted: firstField(thought, 'redactedData', 'reasoningEncryptedContent'),
      citations: Array.isArray(citations) ? citations : undefined,
      answer: marks.answer as unknown as EventOf<'block-patch'>['answer'],
      meta: isMetaNew ? meta : undefined,
    }),
    ...textFields(marks, 'signature', 'encrypted'),
  }
  if (!isEmpty(fields)) out.push({ type: 'block-patch', blockId, ...fields })
}
