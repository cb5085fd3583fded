import { type AgentInfo, type ListedThread, listedDurationOf, listedStateOf } from '@millrace/core/client'
import { dayText, englishLabels, factsText, sourceTitle, summaryOf, type ThreadSummary } from '@millrace/react'

/** A line of the table: a thread, or the heading of those below it. */
export type RunLine =
  | { readonly type: 'group'; readonly title: string }
  | { readonly type: 'run'; readonly thread: ListedThread; readonly position: number }

/** Threads that run or ask come first, then the others by day; the order of the list within. */
export function linesOf(threads: readonly ListedThread[], now: number): readonly RunLine[] {
  const groups = new Map<string, ListedThread[]>([['Now', []]])
  for (const thread of threads) {
    const title = isNow(thread) ? 'Now' : dayText(thread.updatedAt ?? 0, now, englishLabels)
    groups.set(title, [...(groups.get(title) ?? []), thread])
  }
  let position = 0
  return [...groups].flatMap(([title, members]) =>
    members.length === 0
      ? []
      : [
          { type: 'group' as const, title },
          ...members.map((thread) => ({ type: 'run' as const, thread, position: position++ })),
        ],
  )
}

const isNow = ({ lastRun }: ListedThread) => lastRun !== undefined && lastRun.state !== 'ended'

/** The second line of a row: where the run comes from, and what is to be known besides its numbers. */
export function factOf(thread: ListedThread, agents: readonly AgentInfo[]): string {
  const { lastRun } = thread
  const summary = summaryOf(thread)
  if (lastRun === undefined || listedStateOf(lastRun) !== 'done') return failureOf(thread, summary, agents)
  return [sourceTitle(lastRun, agents), lastRun.digest?.file].filter((text) => text !== undefined).join(' · ')
}

function failureOf({ lastRun }: ListedThread, summary: ThreadSummary, agents: readonly AgentInfo[]): string {
  const error = lastRun?.digest?.error
  if (lastRun === undefined || error === undefined) return factsText(summary, agents, englishLabels)
  return [sourceTitle(lastRun, agents), error].filter((text) => text !== undefined).join(' · ')
}

/** How long a run took, or has been going on if the server runs its agent. */
export function durationOf({ lastRun }: ListedThread, now: number): number | undefined {
  if (lastRun === undefined) return undefined
  if (lastRun.state === 'ended') return listedDurationOf(lastRun)
  return lastRun.agent === undefined ? undefined : Math.max(0, now - lastRun.createdAt)
}

/** The heights of lines, in pixels: they never wrap, so that thousands need no measuring. */
export interface LineHeights {
  readonly group: number
  readonly run: number
}

/** Where each line begins, and behind the last one where the table ends. */
export function offsetsOf(lines: readonly RunLine[], heights: LineHeights): readonly number[] {
  const offsets = [0]
  for (const { type } of lines) offsets.push((offsets.at(-1) ?? 0) + heights[type])
  return offsets
}

/** The lines from one height to another: the first, and behind the last. */
export function linesBetween(offsets: readonly number[], from: number, to: number): readonly [number, number] {
  const last = offsets.length - 1
  const first = Math.max(0, lowerBound(offsets, from + 1) - 1)
  return [Math.min(first, last), Math.min(last, lowerBound(offsets, to))]
}

/** The first index whose offset is not below the height. */
function lowerBound(offsets: readonly number[], height: number): number {
  let [low, high] = [0, offsets.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) < height) low = middle + 1
    else high = middle
  }
  return low
}
