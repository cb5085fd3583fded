import { type RunDigest, SEARCH_KINDS, type SearchKind, type SearchText } from '@millrace/core/fold'
import type { StoredRun } from './log.ts'
import { type Excerpt, excerptOf, type Phrase, phrasesOf } from './search-words.ts'

export interface SearchQuery {
  readonly text: string
  /** Only texts of these kinds; default: all. */
  readonly kinds?: readonly SearchKind[]
  readonly threadId?: string
  /** The cursor of the page before. */
  readonly after?: string
  readonly limit?: number
}

/** A text of an ended run in which everything that was asked for was found. */
export interface SearchHit extends Omit<SearchText, 'text'> {
  readonly threadId: string
  readonly runId: string
  readonly excerpt: Excerpt
}

export interface SearchPage {
  /** Newest run first; within a run in its order. */
  readonly hits: readonly SearchHit[]
  readonly next?: string
  /** How many texts of each kind there are in all, whatever kinds were asked for; no more than `MOST_COUNTED` are counted. */
  readonly counts: { readonly [Kind in SearchKind]: number }
}

/** What lists and searches read, beside the threads: kept by every member. */
export interface SearchIndex {
  /**
   * Replaces the texts of an ended run and its digest, and notes the version of the code that made them. Later texts than the limit of a member are left
   * out. A thread without a title gets that of the digest, and keeps its time. MUST throw `unknown-run`, and `run-live` for a run that has not ended.
   */
  index(runId: string, texts: readonly SearchText[], version: number, digest?: RunDigest): Promise<void>
  /** Ended runs whose texts have another version, or that have none, newest first. */
  unindexed(version: number, limit: number): Promise<readonly string[]>
  search(query: SearchQuery): Promise<SearchPage>
  /** Runs that were created at this time or later, newest first; of more than the limit the newest. Subagents' own runs are not among them. */
  recentRuns(since: number, limit: number): Promise<readonly StoredRun[]>
}

export interface Digested {
  /** A moment after its end: the run in a few numbers. */
  readonly digest?: RunDigest
}

/** What the run calls its thread: a subagent's own run calls it nothing. */
export const titleFor = ({ parentRunId, digest }: Pick<StoredRun, 'parentRunId' | 'digest'>): string | undefined =>
  parentRunId === undefined ? digest?.title : undefined

export const MOST_COUNTED = 10_000

/** A row has the number of its run and its own within the run; the newest run, and in it the first text, has the greatest. */
export const MOST_TEXTS = 2 ** 18
export const numberOf = (run: number, nth: number): number => run * MOST_TEXTS + (MOST_TEXTS - 1 - nth)

const DEFAULT_LIMIT = 30
const MAX_LIMIT = 100

/** A query as members answer it. */
export interface ReadQuery {
  readonly phrases: readonly Phrase[]
  readonly kinds: readonly SearchKind[] | undefined
  readonly threadId: string | undefined
  /** Rows with smaller numbers only. */
  readonly below: number
  readonly limit: number
}

export interface FoundRow extends SearchText {
  readonly number: number
  readonly threadId: string
  readonly runId: string
}

/** Undefined if nothing can be found: there is no word in it, or the cursor is not one. */
export function readQuery({ text, kinds, threadId, after, limit = DEFAULT_LIMIT }: SearchQuery): ReadQuery | undefined {
  const phrases = phrasesOf(text)
  const below = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)
  if (phrases.length === 0 || !Number.isSafeInteger(below)) return undefined
  return { phrases, kinds, threadId, below, limit: Math.min(Math.max(Math.floor(limit), 1), MAX_LIMIT) }
}

/** `rows` has one more than the limit if there is a next page. */
export function pageOfHits(
  rows: readonly FoundRow[],
  counted: Iterable<readonly [SearchKind, number]>,
  { phrases, limit }: ReadQuery,
): SearchPage {
  const shown = rows.slice(0, limit)
  const hits = shown.map(({ text, number: _number, ...row }) => ({
    ...row,
    excerpt: excerptOf(text, phrases) ?? { text: text.slice(0, 0), marks: [] },
  }))
  const last = shown.at(-1)
  const counts = { ...NONE, ...Object.fromEntries(counted) }
  return { hits, counts, ...(rows.length > limit && last !== undefined && { next: String(last.number) }) }
}

const NONE = Object.fromEntries(SEARCH_KINDS.map((kind) => [kind, 0])) as { readonly [Kind in SearchKind]: number }

export const emptyPage: SearchPage = { hits: [], counts: NONE }
