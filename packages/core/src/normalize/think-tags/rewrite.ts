import type { BlockPatch } from '../../content-events.ts'
import { type Emit, scopeOf } from '../pass.ts'
import {
  addDelta,
  addPatch,
  begin,
  type Cut,
  closePart,
  createCut,
  metaOf,
  type OnSeam,
  type Part,
  type Tags,
} from './parts.ts'

/**
 * The text of a block differs from what was streamed, so it is cut again. Parts of the same kind get their new text, in
 * order; from the first one without a counterpart, new parts are begun, which keeps the order; remaining old parts are
 * emptied. Later text continues the new text.
 */
export function rewrite(cut: Cut, event: BlockPatch, text: string): void {
  const { fresh, texts } = cutAfresh(cut, event, text)
  cut.cause = event
  if (isPlain(cut) && isPlain(fresh)) {
    if (cut.parts.length === 0) begin(cut, 'text', {})
    cut.emit(event)
  } else {
    sendEnd(cut)
    const pairs = pair(cut.parts, fresh.parts)
    const last = pairs.size === fresh.parts.length ? [...pairs.keys()].at(-1) : undefined
    const continued = last === cut.current ? last : undefined
    for (const part of cut.parts) patchPart(cut, part, pairs.get(part), texts, part === continued)
    continueLast(cut, fresh, continued)
    for (const part of fresh.parts.slice(pairs.size)) addPart(cut, part, texts.get(part) ?? '', part === fresh.current)
    const { text: _replaced, ...rest } = event
    if (rest.citations ?? rest.signature ?? rest.encrypted ?? rest.meta) addPatch(cut, rest)
  }
  cut.scan = { ...fresh.scan, findings: cut.scan.findings }
  cut.isThought = fresh.isThought
  cut.emptyThoughts = fresh.emptyThoughts
  cut.opener = fresh.opener
}

function cutAfresh(cut: Cut, cause: BlockPatch, text: string): { fresh: Cut; texts: ReadonlyMap<Part, string> } {
  const texts = new Map<Part, string>()
  const seamsOf = new Map<Part, [number, string][]>()
  const collect: Emit = (event) => {
    const part = fresh.current
    if (event.type === 'block-delta' && part !== undefined) texts.set(part, (texts.get(part) ?? '') + event.text)
  }
  const noteSeam: OnSeam = (part, tags) => {
    const seams = seamsOf.get(part) ?? []
    seamsOf.set(part, seams)
    seams.push([(texts.get(part) ?? '').length, tags])
    part.tags = { ...part.tags, seams }
  }
  const fresh = createCut(cut.blockId, cut.start, cut.options, collect, noteSeam)
  addDelta(fresh, { ...scopeOf(cause), type: 'block-delta', blockId: cut.blockId, text })
  return { fresh, texts }
}

/** Whether a block was never cut. */
function isPlain({ parts, current, scan, emptyThoughts, opener, isThought }: Cut): boolean {
  if (isThought || scan.held !== '' || emptyThoughts !== '' || opener !== '') return false
  const [only] = parts
  return only === undefined || (parts.length === 1 && only === current && Object.keys(only.tags).length === 0)
}

/** Old parts with their new counterparts, which are the first of the new ones. */
function pair(old: readonly Part[], fresh: readonly Part[]): ReadonlyMap<Part, Part> {
  const pairs = new Map<Part, Part>()
  for (const part of old) {
    const next = fresh[pairs.size]
    if (next?.kind === part.kind) pairs.set(part, next)
  }
  return pairs
}

/** The end of the part that continues is still to come and carries its closing tag, unless a thought is joined to it. */
function patchPart(
  cut: Cut,
  part: Part,
  replacement: Part | undefined,
  texts: ReadonlyMap<Part, string>,
  isContinued: boolean,
): void {
  const text = replacement === undefined ? '' : (texts.get(replacement) ?? '')
  const { close, ...rest } = replacement?.tags ?? {}
  const sent = close === undefined || isContinued ? rest : { ...rest, close }
  const meta = metaOf(undefined, changedTags(part.tags, sent))
  part.tags = replacement?.tags ?? {}
  cut.emit({ ...scopeOf(cut.cause), type: 'block-patch', blockId: part.id, text, ...meta })
}

/** The tags that changed: the new ones, and an empty string for each that was removed. */
function changedTags(before: Tags, after: Tags): Tags {
  const gone = Object.keys(before).map((name) => [name, ''])
  const all: Tags = { ...Object.fromEntries(gone), ...after }
  const differs = Object.entries(all).filter(([name, bytes]) => bytes !== before[name as keyof Tags])
  return Object.fromEntries(differs)
}

/** The open part continues if it is still the last one, as the new text leaves it; otherwise it ends. */
function continueLast(cut: Cut, fresh: Cut, continued: Part | undefined): void {
  if (continued !== undefined) {
    cut.current = fresh.current && continued
    cut.ending = fresh.ending && { ...fresh.ending, blockId: continued.id }
    return
  }
  closePart(cut, {})
  sendEnd(cut)
}

/** Emits a waiting end: its tags hold for the old text and are corrected afterwards. */
function sendEnd(cut: Cut): void {
  if (cut.ending !== undefined) cut.emit(cut.ending)
  cut.ending = undefined
}

function addPart(cut: Cut, { kind, tags }: Part, text: string, isOpen: boolean): void {
  const { close, seams, ...rest } = tags
  const { id } = begin(cut, kind, rest)
  const meta = metaOf(undefined, seams && { seams })
  cut.emit({ ...scopeOf(cut.cause), type: 'block-delta', blockId: id, text, ...meta })
  if (!isOpen) closePart(cut, close === undefined ? {} : { close })
}
