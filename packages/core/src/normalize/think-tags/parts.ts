import type { BlockDelta, BlockEnd, BlockPatch, BlockStart } from '../../content-events.ts'
import type { BlockKind, Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { type Emit, scopeOf } from '../pass.ts'
import { createScan, feed, isQuiet, release, type Scan } from './scan.ts'
import { deltaWithSeam, joinThoughts } from './seams.ts'

export interface ThinkTagOptions {
  /** The names of the tags; case does not matter. */
  readonly tags?: readonly string[]
  /** For models that omit the opening tag: every text block begins inside a thought. */
  readonly startInThinking?: boolean
}

/** The bytes of the tags around a part's text, as in `meta.millrace`. */
export interface Tags {
  /** Empty thoughts before it. */
  readonly before?: string
  readonly open?: string
  readonly close?: string
  /** Empty thoughts after it, if no part follows. */
  readonly after?: string
  /** Of a rewritten text: tags within it where thoughts were joined, each behind so many UTF-16 units. */
  readonly seams?: readonly (readonly [at: number, tags: string])[]
}

/** A part of a block: text alone, or one thought. It is emitted as its own block. */
export interface Part {
  id: string
  readonly kind: BlockKind
  tags: Tags
}

/** A text block while it is cut into parts. */
export interface Cut {
  readonly blockId: string
  readonly options: Required<ThinkTagOptions>
  readonly emit: Emit
  /** Undefined if the stream did not start the block: then `balance` opens it. */
  readonly start: BlockStart | undefined
  scan: Scan
  readonly parts: Part[]
  /** The part that text goes to. */
  current: Part | undefined
  /** The end of the last part: it waits for the next part, because it may have to carry empty thoughts. */
  ending: BlockEnd | undefined
  isThought: boolean
  /** The tags of empty thoughts since the last part. */
  emptyThoughts: string
  /** An opener whose thought has no text yet. */
  opener: string
  /** Patches of the block that arrived before its first part. */
  waitingPatches: BlockPatch[]
  /** The event that is being read: emitted events have its scope. */
  cause: StreamEvent
  /** Whether `cause` led to text, which carried its meta. */
  isTextSent: boolean
  /** Called with the tags between two thoughts that are joined, before the text of the second. */
  readonly onSeam: OnSeam | undefined
}

export type OnSeam = (part: Part, tags: string) => void

export function createCut(
  blockId: string,
  start: BlockStart | undefined,
  options: Required<ThinkTagOptions>,
  emit: Emit,
  onSeam?: OnSeam,
): Cut {
  const cut: Cut = {
    blockId,
    options,
    emit,
    start,
    scan: createScan(options.tags, options.startInThinking, {
      text: (text) => addText(cut, text),
      open: (tag) => openThought(cut, tag),
      close: (tag) => closeThought(cut, tag),
    }),
    parts: [],
    current: undefined,
    ending: undefined,
    isThought: options.startInThinking,
    emptyThoughts: '',
    opener: '',
    waitingPatches: [],
    cause: start ?? { type: 'block-delta', blockId, text: '' },
    isTextSent: false,
    onSeam,
  }
  return cut
}

export function addDelta(cut: Cut, event: BlockDelta): void {
  const { current } = cut
  if (current !== undefined && event.text !== '' && isQuiet(cut.scan, event.text)) {
    cut.emit(current.id === event.blockId ? event : moveDelta(event, current.id, event.text))
    return
  }
  cut.cause = event
  cut.isTextSent = false
  feed(cut.scan, event.text)
  const { meta, blockId } = event
  if (meta !== undefined && !cut.isTextSent) addPatch(cut, { ...scopeOf(event), type: 'block-patch', blockId, meta })
}

/** A patch without text: it belongs to the last part, or to the first that follows. */
export function addPatch(cut: Cut, event: BlockPatch): void {
  const last = cut.parts.at(-1)
  if (last === undefined) cut.waitingPatches.push(event)
  else cut.emit(last.id === event.blockId ? event : { ...event, blockId: last.id })
}

/** The block's regular end. A thought that is still open then was never closed by the model. */
export function finish(cut: Cut, event: BlockEnd): void {
  flushHeld(cut, event)
  const { current, ending } = cut
  if (current !== undefined) {
    const isPlain = current.id === event.blockId && !cut.isThought
    const interrupted = cut.isThought ? { interrupted: true } : {}
    cut.emit(isPlain ? event : { ...event, ...interrupted, blockId: current.id })
  } else if (ending !== undefined) {
    cut.emit({ ...event, ...ending, ...metaOf(event.meta, ending.meta?.millrace) })
  } else if (cut.parts.length === 0) cut.emit(event)
}

/** The stream ended before the block did: everything held back is emitted, and `balance` closes what is open. */
export function abandon(cut: Cut, cause: StreamEvent): void {
  flushHeld(cut, cause)
  if (cut.ending !== undefined) cut.emit(cut.ending)
}

/** Begins a part and applies the patches that waited for one. */
export function begin(cut: Cut, kind: BlockKind, tags: Tags): Part {
  if (cut.ending !== undefined) cut.emit(cut.ending)
  cut.ending = undefined
  const count = cut.parts.length
  const part = { id: count === 0 ? cut.blockId : `${cut.blockId}.${count}`, kind, tags }
  cut.parts.push(part)
  cut.current = part
  const needsStart = cut.start !== undefined || count > 0 || kind === 'reasoning' || Object.keys(tags).length > 0
  if (needsStart) cut.emit(startOf(cut, part))
  for (const patch of cut.waitingPatches) addPatch(cut, patch)
  cut.waitingPatches = []
  return part
}

function startOf(cut: Cut, { id, kind, tags }: Part): BlockStart {
  const { start, cause } = cut
  const isSame = start !== undefined && kind === 'text' && id === start.blockId && Object.keys(tags).length === 0
  if (isSame) return start
  const { variant, meta, ...rest }: BlockStart = start ?? { ...scopeOf(cause), type: 'block-start', blockId: id, kind }
  const sentAt = cause.sentAt === undefined || cut.parts.length === 1 ? {} : { sentAt: cause.sentAt }
  const shownVariant = kind === 'reasoning' ? 'think-tag' : variant
  return {
    ...rest,
    ...sentAt,
    blockId: id,
    kind,
    ...(shownVariant && { variant: shownVariant }),
    ...metaOf(meta, tags),
  }
}

function addText(cut: Cut, text: string): void {
  const seam = joinThoughts(cut)
  const part = cut.current ?? begin(cut, cut.isThought ? 'reasoning' : 'text', takeTags(cut))
  const { cause } = cut
  cut.isTextSent = true
  if (seam !== undefined) cut.emit(deltaWithSeam(cause, part.id, text, seam))
  else if (cause.type !== 'block-delta') cut.emit({ ...scopeOf(cause), type: 'block-delta', blockId: part.id, text })
  else if (cause.text === text && cause.blockId === part.id) cut.emit(cause)
  else cut.emit(moveDelta(cause, part.id, text))
}

/** A delta moved to another block. The first case is the most frequent: a literal is cheaper than a copy. */
function moveDelta(event: BlockDelta, blockId: string, text: string): BlockDelta {
  const isBare = event.messageId === undefined && event.agentId === undefined && event.meta === undefined
  if (isBare && event.sentAt === undefined) return { type: 'block-delta', blockId, text }
  return { ...event, blockId, text }
}

function openThought(cut: Cut, tag: string): void {
  closePart(cut, {})
  cut.opener = tag
  cut.isThought = true
}

function closeThought(cut: Cut, tag: string): void {
  cut.isThought = false
  if (cut.current !== undefined) {
    closePart(cut, { close: tag })
    return
  }
  cut.emptyThoughts += cut.opener + tag
  cut.opener = ''
}

export function closePart(cut: Cut, tags: Tags): void {
  const { current, cause } = cut
  if (current === undefined) return
  current.tags = { ...current.tags, ...tags }
  cut.current = undefined
  cut.ending = { ...scopeOf(cause), type: 'block-end', blockId: current.id, ...metaOf(undefined, tags) }
}

export function takeTags(cut: Cut): Tags {
  const { emptyThoughts, opener } = cut
  cut.emptyThoughts = ''
  cut.opener = ''
  return { ...(emptyThoughts !== '' && { before: emptyThoughts }), ...(opener !== '' && { open: opener }) }
}

/** Emits what is held back when no more text follows. */
function flushHeld(cut: Cut, cause: StreamEvent): void {
  cut.cause = cause
  release(cut.scan)
  const rest = cut.emptyThoughts + cut.opener
  const last = cut.parts.at(-1)
  cut.emptyThoughts = ''
  cut.opener = ''
  if (cut.ending !== undefined && last !== undefined && rest !== '') {
    last.tags = { ...last.tags, after: rest }
    cut.ending = { ...cut.ending, ...metaOf(cut.ending.meta, { after: rest }) }
  } else if (rest !== '' || (last === undefined && (cut.start !== undefined || cut.waitingPatches.length > 0))) {
    cut.isThought = false
    begin(cut, 'text', rest === '' ? {} : { before: rest })
  }
}

/** A provider's meta with the tags added. */
export function metaOf(meta: Meta | undefined, tags: Tags | JsonObject | undefined): { readonly meta?: Meta } {
  if (tags === undefined || Object.keys(tags).length === 0) return meta === undefined ? {} : { meta }
  return { meta: { ...meta, millrace: { ...meta?.millrace, ...tags } } }
}
