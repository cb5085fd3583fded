import type { SearchKind } from '../fold/search-texts.ts'
import type { ListedThread } from './api-types.ts'

/** A text of an ended run in which all words of a search were found. */
export interface FoundText {
  readonly threadId: string
  /** The title of the thread. */
  readonly title: string
  readonly runId: string
  /** The first entry of the segment that shows the text. */
  readonly seq: number
  /** The step of the run in which it stands, counted from 1; 0 before the first. Absent if that is not known. */
  readonly step?: number
  readonly kind: SearchKind
  /** The tool or the subagent whose text it is. */
  readonly name?: string
  /** The part of the text around what was found; `marks` are the found words in it. */
  readonly excerpt: { readonly text: string; readonly marks: readonly (readonly [from: number, to: number])[] }
}

export interface FoundTexts {
  /** Newest run first; within a run in its order. */
  readonly hits: readonly FoundText[]
  /** The threads of the hits, as a list shows them. */
  readonly threads: readonly ListedThread[]
  /** The cursor of the next page; absent on the last page. */
  readonly next?: string
  /** How many texts of each kind there are in all, whatever kinds were asked for; no more than 10,000 are counted. */
  readonly counts: { readonly [Kind in SearchKind]: number }
}

export interface SearchOptions {
  readonly text: string
  readonly kinds?: readonly SearchKind[]
  readonly threadId?: string
  readonly after?: string
  readonly limit?: number
}
