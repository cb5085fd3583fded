import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { BARE, type Prose } from './content-parts.ts'
import { type Block, closeBlock, type EmittedMessage } from './emitted-message.ts'

/** Adds a fragment of prose to its block, or opens a block for it. */
export function addProse(out: Out, emitted: EmittedMessage, prose: Prose): void {
  if (prose.text === '' && !carriesMore(prose)) return
  const block = continuedBlock(emitted, prose) ?? emitted.byKey.get(prose.key)
  const isOver = block === undefined || (block !== emitted.current && prose.text !== '')
  write(out, emitted, isOver ? open(out, emitted, prose) : block, prose)
}

/** The block that bare text continues. Some models send one text partly in blocks and partly without. */
function continuedBlock({ current }: EmittedMessage, { kind, key, variant }: Prose): Block | undefined {
  const isText = kind === 'text' && variant === undefined && current?.kind === 'text' && current.variant === undefined
  return isText && (key === BARE || current.key === BARE) ? current : undefined
}

/** Brings a block to a text that is given from its beginning. Without text, only what comes with the text is new. */
export function settleProse(out: Out, emitted: EmittedMessage, prose: Prose): void {
  const block = emitted.byKey.get(prose.key)
  if (block === undefined) addProse(out, emitted, prose)
  else {
    if (prose.text !== '') replaceText(out, emitted, block, prose.text)
    patch(out, emitted, block, prose)
  }
}

/**
 * Emits what is missing of prose that is repeated from its beginning. The parts of a kind come in the order of its
 * blocks. If a whole message differs in length from what was streamed, its text replaces the streamed text.
 */
export function catchUp(out: Out, emitted: EmittedMessage, proses: readonly Prose[]): void {
  for (const kind of ['text', 'reasoning'] as const) {
    const parts = proses.filter((prose) => prose.kind === kind && (prose.text !== '' || carriesMore(prose)))
    const blocks = emitted.blocks.filter((block) => block.kind === kind)
    if (blocks.length > parts.length) continue
    if (blocks.length > 0 && lengthOf(parts) === lengthOf(blocks)) continue
    for (const [index, prose] of parts.entries()) {
      const block = blocks[index]
      if (block !== undefined) replaceText(out, emitted, block, prose.text)
      else write(out, emitted, open(out, emitted, prose), prose)
    }
  }
}

export function lengthOf(parts: readonly (Prose | Block)[]): number {
  return parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : part.length), 0)
}

function replaceText(out: Out, { scope }: EmittedMessage, block: Block, text: string): void {
  if (text.length === block.length) return
  block.length = text.length
  out.push({ type: 'block-patch', blockId: block.id, text, ...scope.agent })
}

function open(out: Out, emitted: EmittedMessage, { kind, key, variant }: Prose): Block {
  closeBlock(out, emitted)
  const { scope, messageId, blocks } = emitted
  const idPrefix = scope.agent.agentId === undefined ? messageId : `${messageId}@${scope.agent.agentId}`
  const block: Block = { id: `${idPrefix}:${blocks.length}`, kind, variant, key, length: 0 }
  blocks.push(block)
  emitted.byKey.set(key, block)
  emitted.current = block
  out.push({ type: 'block-start', blockId: block.id, kind, ...present({ variant }), ...emitted.fields })
  return block
}

function write(out: Out, emitted: EmittedMessage, block: Block, prose: Prose): void {
  const { text } = prose
  block.length += text.length
  if (text !== '') out.push({ type: 'block-delta', blockId: block.id, text })
  patch(out, emitted, block, prose)
}

const carriesMore = ({ signature, encrypted, citations }: Prose) =>
  signature !== undefined || encrypted !== undefined || citations !== undefined

function patch(out: Out, emitted: EmittedMessage, { id: blockId, kind }: Block, prose: Prose): void {
  if (!carriesMore(prose)) return
  const { signature, encrypted, citations } = prose
  // The field `signature` is for reasoning, so the signature of a text is kept as meta.
  const signed = kind === 'reasoning' ? present({ signature }) : keep('langchain', { signature })
  out.push({ type: 'block-patch', blockId, ...emitted.scope.agent, ...signed, ...present({ encrypted, citations }) })
  for (const [index, citation] of (citations ?? []).entries()) pushSource(out, emitted, citation, index, { blockId })
}

/** The pages that a tool of the provider found. */
export function pushFoundSources(out: Out, emitted: EmittedMessage, callId: string, output: Json): void {
  const pages: readonly Json[] = Array.isArray(output) ? output : [output]
  for (const [index, page] of pages.entries())
    if (textIn(objectIn(page).url) !== undefined) pushSource(out, emitted, page, index, { callId })
}

type Owner = Pick<EventOf<'source'>, 'blockId' | 'callId'>

/** The source of a citation or of a page that has an address or a title. */
function pushSource(out: Out, { fields }: EmittedMessage, value: Json, index: number, owner: Owner): void {
  if (!isJsonObject(value)) return
  const url = textIn(value.url)
  const title = textIn(value.title) ?? textIn(value.document_title) ?? textIn(value.filename)
  if (url === undefined && title === undefined) return
  const snippet = textIn(value.cited_text) ?? textIn(value.snippet)
  const sourceId = `${owner.blockId ?? owner.callId}:source-${index}`
  const kind = url === undefined ? 'document' : 'url'
  out.push({ type: 'source', sourceId, kind, ...owner, ...fields, ...present({ url, title, snippet }) })
}
