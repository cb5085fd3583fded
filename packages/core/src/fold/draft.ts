import type { Entry } from '../entry.ts'
import type { Meta } from '../event-fields.ts'
import type { Folded, Segment, StatusLine } from './shapes.ts'

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/**
 * A piece under construction. It is changed in place; `snapshotOf` gives its immutable shape and keeps it until the next
 * change, so that snapshots share what did not change.
 */
export interface Draft<Shape extends Folded> {
  readonly fields: Mutable<Omit<Shape, 'seqs' | 'segments'>>
  readonly parent: Draft<Folded> | undefined
  readonly freeze: (draft: never) => Shape
  readonly firstSeq: number
  lastSeq: number
  frozen: Shape | undefined
}

/** A piece that holds segments: a chat event or a subagent. */
export interface Container<Shape extends Folded = Folded> extends Draft<Shape> {
  readonly children: Draft<Segment>[]
}

export function snapshotOf<Shape extends Folded>(draft: Draft<Shape>): Shape {
  draft.frozen ??= draft.freeze(draft as never)
  return draft.frozen
}

/** The fields that every draft begins with. */
export function begin<Shape extends Folded>(
  entry: Entry,
  parent: Draft<Folded> | undefined,
  freeze: (draft: never) => Shape,
  fields: Omit<Shape, keyof Folded | 'segments'>,
): Draft<Shape> {
  const own = { ...fields, startedAt: entry.at } as Draft<Shape>['fields']
  const draft: Draft<Shape> = {
    fields: own,
    parent,
    freeze,
    firstSeq: entry.seq,
    lastSeq: entry.seq,
    frozen: undefined,
  }
  addMeta(draft, entry.event.meta)
  return draft
}

/** The shape of a draft that holds nothing but its fields. */
export function freezeFields<Shape extends Folded>(draft: Draft<Shape>): Shape {
  return { ...draft.fields, seqs: [draft.firstSeq, draft.lastSeq] } as unknown as Shape
}

export function freezeContainer<Shape extends Folded>(draft: Container<Shape>): Shape {
  return { ...freezeFields(draft), segments: draft.children.map(snapshotOf) }
}

/** Something in this draft changed: neither its own shape nor those around it hold any more. */
export function touch(draft: Draft<Folded>, seq: number): void {
  for (let node: Draft<Folded> | undefined = draft; node !== undefined; node = node.parent) {
    node.lastSeq = seq
    node.frozen = undefined
  }
}

/** Ends a draft, and never before it has started: a framework's clock may go back. */
export function finish(draft: Draft<Folded>, entry: Entry): void {
  draft.fields.endedAt = Math.max(draft.fields.startedAt, entry.at)
  touch(draft, entry.seq)
}

/** Moves the times of a draft, and of all that it holds, to `latest` if they lie behind it. */
export function limitTimes(draft: Draft<Folded> & Partial<Container>, latest: number): void {
  const fields = draft.fields as Mutable<Folded> & { lines?: readonly StatusLine[] }
  fields.startedAt = Math.min(fields.startedAt, latest)
  if (fields.endedAt !== undefined) fields.endedAt = Math.min(fields.endedAt, latest)
  if (fields.lines !== undefined)
    fields.lines = fields.lines.map((line) => ({ ...line, at: Math.min(line.at, latest) }))
  draft.frozen = undefined
  for (const child of draft.children ?? []) limitTimes(child, latest)
}

export function addMeta(draft: Draft<Folded>, meta: Meta | undefined): void {
  if (meta === undefined) return
  const merged: Record<string, Meta[string]> = { ...draft.fields.meta }
  for (const [provider, values] of Object.entries(meta)) merged[provider] = { ...merged[provider], ...values }
  draft.fields.meta = merged
}
