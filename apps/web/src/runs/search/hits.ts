import type { FoundText, ListedThread } from '@millrace/core/client'
import type { SearchKind } from '@millrace/core/fold'
import type { IconName } from '../../icon.tsx'
import { seqText } from '../../words/numbers.ts'

interface KindFace {
  readonly name: string
  /** Of the button that shows only these. */
  readonly plural: string
  readonly icon: IconName
  /** Shown as code. */
  readonly isCode?: boolean
}

/** How each kind of text is called and drawn, in the order of the page. */
export const kindFaces: { readonly [Kind in SearchKind]: KindFace } = {
  text: { name: 'Answer', plural: 'Answers', icon: 'list' },
  reasoning: { name: 'Thinking', plural: 'Thinking', icon: 'brain' },
  input: { name: 'Tool input', plural: 'Tool input', icon: 'pencil', isCode: true },
  output: { name: 'Tool output', plural: 'Tool output', icon: 'process', isCode: true },
  question: { name: 'Message', plural: 'Messages', icon: 'bubble' },
  notice: { name: 'Notice', plural: 'Notices', icon: 'shield' },
}

/** What was found in one thread. */
export interface HitGroup {
  readonly threadId: string
  readonly title: string
  readonly thread: ListedThread | undefined
  readonly hits: readonly FoundText[]
}

/** Threads in the order of their newest hits; the hits of each in the order of the search. */
export function groupHits(hits: readonly FoundText[], threads: readonly ListedThread[]): readonly HitGroup[] {
  const byId = new Map(threads.map((thread) => [thread.id, thread]))
  const groups = new Map<string, FoundText[]>()
  for (const hit of hits) groups.set(hit.threadId, [...(groups.get(hit.threadId) ?? []), hit])
  return [...groups].map(([threadId, members]) => ({
    threadId,
    title: members[0]?.title ?? '',
    thread: byId.get(threadId),
    hits: members,
  }))
}

/** So many hits of a thread are shown until the rest is asked for. */
const SHOWN_PER_THREAD = 3

/** An option of the list of hits: a hit, or the rest of its thread's. */
export type HitOption =
  | { readonly type: 'hit'; readonly key: string; readonly hit: FoundText }
  | { readonly type: 'rest'; readonly key: string; readonly threadId: string; readonly count: number }

export function optionsOf({ threadId, hits }: HitGroup, isOpen: boolean): readonly HitOption[] {
  const all = hits.map((hit, index) => ({
    type: 'hit' as const,
    key: `${hit.runId}-${hit.seq}-${hit.kind}-${index}`,
    hit,
  }))
  if (isOpen || all.length <= SHOWN_PER_THREAD + 1) return all
  const rest = { type: 'rest' as const, key: `${threadId}-rest`, threadId, count: all.length - SHOWN_PER_THREAD }
  return [...all.slice(0, SHOWN_PER_THREAD), rest]
}

/** Where a hit stands: `step 3 · #410`. What a person says comes before the step that it causes. */
export function locationText({ step, seq, kind }: FoundText): string {
  if (step === undefined) return seqText(seq)
  const words = kind === 'question' || step === 0 ? `before step ${step + 1}` : `step ${step}`
  return `${words} · ${seqText(seq)}`
}

/** An excerpt in parts, of which some are marked. Line breaks are spaces: a hit is one line. */
export function partsOf({
  text,
  marks,
}: FoundText['excerpt']): readonly { readonly text: string; readonly isMarked: boolean }[] {
  const parts: { text: string; isMarked: boolean }[] = []
  let end = 0
  for (const [from, to] of marks) {
    parts.push({ text: text.slice(end, from), isMarked: false }, { text: text.slice(from, to), isMarked: true })
    end = to
  }
  parts.push({ text: text.slice(end), isMarked: false })
  return parts.filter((part) => part.text !== '')
}

/** The words that were found, as they stand in the texts. */
export function wordsOf({ excerpt: { text, marks } }: FoundText): readonly string[] {
  return [...new Set(marks.map(([from, to]) => text.slice(from, to).toLowerCase()))]
}
