import { dayText } from '../words/time.ts'
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
): readonly ThreadGroup<Thread>[] {
  const groups = new Map<string, Thread[]>([
    ['Needs you', []],
    ['Live', []],
  ])
  for (const thread of [...threads].sort((one, other) => other.updatedAt - one.updatedAt)) {
    const title = titleOf(thread, now)
    groups.set(title, [...(groups.get(title) ?? []), thread])
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([title, members]) => ({ title, threads: members }))
}

function titleOf({ state, updatedAt }: Groupable, now: number): string {
  if (state === 'needs-you') return 'Needs you'
  return isRunning(state) ? 'Live' : dayText(updatedAt, now)
}
