import type { Labels } from '../labels.ts'
import { dayText } from '../times.ts'
import { isRunning, type ThreadStatus } from './thread-status.ts'

export interface Groupable {
  readonly state: ThreadStatus
  readonly updatedAt: number
}

export interface ThreadGroup<Thread> {
  readonly title: string
  readonly threads: readonly Thread[]
}

/** Threads that ask the user come first, then live ones, then the days; the newest first in each group. */
export function groupThreads<Thread extends Groupable>(
  threads: readonly Thread[],
  now: number,
  labels: Labels,
): readonly ThreadGroup<Thread>[] {
  const groups = new Map<string, Thread[]>([
    [labels.threadStatus['needs-you'], []],
    [labels.threadStatus.live, []],
  ])
  for (const thread of [...threads].sort((one, other) => other.updatedAt - one.updatedAt)) {
    const title = titleOf(thread, now, labels)
    groups.set(title, [...(groups.get(title) ?? []), thread])
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([title, members]) => ({ title, threads: members }))
}

function titleOf({ state, updatedAt }: Groupable, now: number, labels: Labels): string {
  if (state === 'needs-you') return labels.threadStatus['needs-you']
  return isRunning(state) ? labels.threadStatus.live : dayText(updatedAt, now, labels)
}
