import type { Entry } from '../entry.ts'
import type { Meta } from '../event-fields.ts'
import type { Folded, Segment, StatusLine } from './shapes.ts'

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Called with an entry and a segment that it begins or changes; the segment's first entry identifies it. */
export type Watch = (seq: number, segment: number) => void

/**
 * A chat event or segment under construction. It is changed in place; `snapshotOf` returns its immutable shape and
 * keeps it until the next change, so that snapshots share what did not change.
 */
export interface Draft<Shape extends Folded> {
  readonly fields: Mutable<Omit<Shape, 'seqs' | 'segments'>>
  readonly parent: Draft<Folded> | undefined
  readonly freeze: (draft: never) => Shape
  readonly firstSeq: number
  lastSeq: number
  readonly watch: Watch | undefined
  /** Undefined after a change. The row that holds the draft then lists its position in `changed`. */
  frozen: Shape | undefined
  row: Row<never> | undefined
  position: number
}

/** Drafts in order, with the shapes of the last snapshot: the next snapshot maps only those that changed since. */
export interface Row<Shape extends Folded> {
  readonly drafts: Draft<Shape>[]
  readonly changed: number[]
  shapes: readonly Shape[]
}

/** A draft that holds segments: a chat event or a subagent. */
export interface Container<Shape extends Folded = Folded> extends Draft<Shape> {
  readonly children: Row<Segment>
}

export function snapshotOf<Shape extends Folded>(draft: Draft<Shape>): Shape {
  draft.frozen ??= draft.freeze(draft as never)
  return draft.frozen
}

export function createRow<Shape extends Folded>(): Row<Shape> {
  return { drafts: [], changed: [], shapes: [] }
}

export function addToRow<Shape extends Folded>(row: Row<Shape>, draft: Draft<Shape>): void {
  draft.row = row as unknown as Row<never>
  draft.position = row.drafts.length
  row.changed.push(draft.position)
  row.drafts.push(draft)
}

/** The shapes of a row. The array is new only if something in it changed. */
export function shapesOf<Shape extends Folded>(row: Row<Shape>): readonly Shape[] {
  if (row.changed.length === 0) return row.shapes
  const shapes = row.shapes.slice()
  for (const position of row.changed) shapes[position] = snapshotOf(row.drafts[position] as Draft<Shape>)
  row.changed.length = 0
  row.shapes = shapes
  return shapes
}

/** A new draft with the fields that every draft has. */
export function begin<Shape extends Folded>(
  entry: Entry,
  parent: Draft<Folded> | undefined,
  freeze: (draft: never) => Shape,
  fields: Omit<Shape, keyof Folded | 'segments'>,
  watch: Watch | undefined = parent?.watch,
): Draft<Shape> {
  const draftFields = { ...fields, startedAt: entry.at } as Draft<Shape>['fields']
  const draft: Draft<Shape> = {
    fields: draftFields,
    parent,
    freeze,
    firstSeq: entry.seq,
    lastSeq: entry.seq,
    watch,
    frozen: undefined,
    row: undefined,
    position: 0,
  }
  addMeta(draft, entry.event.meta)
  return draft
}

/** The shape of a draft that holds no segments. */
export function freezeFields<Shape extends Folded>(draft: Draft<Shape>): Shape {
  return { ...draft.fields, seqs: [draft.firstSeq, draft.lastSeq] } as unknown as Shape
}

export function freezeContainer<Shape extends Folded>(draft: Container<Shape>): Shape {
  return { ...freezeFields(draft), segments: shapesOf(draft.children) }
}

/** Marks a draft as changed: its own shape and those of its parents are no longer valid. */
export function touch(draft: Draft<Folded>, seq: number): void {
  if (draft.watch !== undefined && draft.parent !== undefined) draft.watch(seq, draft.firstSeq)
  for (let node: Draft<Folded> | undefined = draft; node !== undefined; node = node.parent) {
    node.lastSeq = seq
    forgetShape(node)
  }
}

/** A draft that has no shape is already in its row's list. */
function forgetShape(draft: Draft<Folded>): void {
  if (draft.frozen === undefined) return
  draft.frozen = undefined
  draft.row?.changed.push(draft.position)
}

/** Ends a draft, never earlier than it started: a framework's clock may go back. */
export function finish(draft: Draft<Folded>, entry: Entry): void {
  draft.fields.endedAt = Math.max(draft.fields.startedAt, entry.at)
  touch(draft, entry.seq)
}

/**
 * Limits the times of a draft, and of all that it holds, to `latest`. Returns whether any was later: a draft that did
 * not change keeps its shape.
 */
export function limitTimes(draft: Draft<Folded> & Partial<Container>, latest: number): boolean {
  const fields = draft.fields as Mutable<Folded> & { lines?: readonly StatusLine[] }
  const { startedAt, endedAt, lines } = fields
  let isLater = startedAt > latest || (endedAt ?? latest) > latest || (lines ?? []).some(({ at }) => at > latest)
  for (const child of draft.children?.drafts ?? []) isLater = limitTimes(child, latest) || isLater
  if (!isLater) return false
  fields.startedAt = Math.min(startedAt, latest)
  if (endedAt !== undefined) fields.endedAt = Math.min(endedAt, latest)
  if (lines !== undefined) fields.lines = lines.map((line) => ({ ...line, at: Math.min(line.at, latest) }))
  forgetShape(draft)
  return true
}

export function addMeta(draft: Draft<Folded>, meta: Meta | undefined): void {
  if (meta === undefined) return
  const merged: Record<string, Meta[string]> = { ...draft.fields.meta }
  for (const [provider, values] of Object.entries(meta)) merged[provider] = { ...merged[provider], ...values }
  draft.fields.meta = merged
}
