import type {
  ListedThread,
  RunInfo,
  ThreadListStreamEvents,
  ThreadOverview,
  ThreadPage,
  ThreadStreamEvents,
} from '@millrace/core/api'
import type { Sight } from '../deliver/shared-looks.ts'
import { runView } from './shapes.ts'
import { isAsking, openThreads, type RowSources, withLastRuns } from './thread-rows.ts'

/** A thread as its stream shows it. */
export interface ThreadView {
  /** Undefined if the thread was deleted. */
  readonly overview: ThreadOverview | undefined
  /** The fields of each run whose change is sent, as one text. */
  readonly signs: ReadonlyMap<string, string>
}

/** A thread with the states of its runs. New entries are not a difference: each run has its own stream. */
export function threadSight({ log, runs }: RowSources, id: string): Sight<ThreadView> {
  const infoOf = async (run: Parameters<typeof runView>[0]): Promise<RunInfo> => ({
    ...runView(run),
    asks: await isAsking(runs, run),
  })
  return {
    key: `thread ${id}`,
    subject: { threadId: id },
    async look() {
      const thread = await log.thread(id)
      if (thread === undefined) return { overview: undefined, signs: new Map() }
      const infos = await Promise.all((await log.runs(id)).map(infoOf))
      return { overview: { thread, runs: infos }, signs: signsOf(infos) }
    },
    eventsBetween(before, { overview, signs }) {
      if (overview === undefined) return threadFrame('deleted', { id })
      if (before === undefined) return threadFrame('thread', overview)
      const repeated = mustRepeat(before, overview, signs) ? threadFrame('thread', overview) : ''
      const changed = overview.runs.filter((run) => before.signs.get(run.id) !== signs.get(run.id))
      return repeated + changed.map((run) => threadFrame('run', run)).join('')
    },
    isLast: ({ overview }) => overview === undefined,
  }
}

/** A thread that was deleted and created again has lost runs. */
function mustRepeat(before: ThreadView, { thread }: ThreadOverview, signs: ThreadView['signs']): boolean {
  return before.overview?.thread.title !== thread.title || [...before.signs.keys()].some((id) => !signs.has(id))
}

/** The text is the same as long as nothing has changed that is sent. */
export const signsOf = (runs: readonly RunInfo[]): ThreadView['signs'] =>
  new Map(runs.map((run) => [run.id, signOfRun(run)]))

const signOfRun = ({ state, outcome, waitUntil, asks, endedAt }: RunInfo) =>
  JSON.stringify([state, outcome, waitUntil, asks, endedAt])

/** The list of threads as its stream shows it. */
export interface ListView {
  /** How many looks there were before this one. */
  readonly number: number
  readonly page: ThreadPage
  /** Threads that are too old for the page and have a run that has not ended. */
  readonly others: readonly ListedThread[]
  readonly signs: ReadonlyMap<string, string>
  /** The threads of the view before this one that were deleted since. */
  readonly deleted: readonly string[]
}

/** The first page of the list, and the threads behind it that have an open run. */
export function listSight(sources: RowSources, limit: number): Sight<ListView> {
  const { log } = sources
  return {
    key: `threads ${limit}`,
    subject: 'threads',
    async look(before) {
      const { items, next } = await log.threads({ limit })
      const threads = await withLastRuns(items, sources)
      const ids = new Set(items.map((thread) => thread.id))
      const others = (await openThreads(sources)).filter((thread) => !ids.has(thread.id))
      const signs = new Map([...threads, ...others].map((thread) => [thread.id, signOfThread(thread)]))
      const missing = [...(before?.signs.keys() ?? [])].filter((id) => !signs.has(id))
      // A thread that newer ones have pushed off the page is not deleted.
      const found = await Promise.all(missing.map((id) => log.thread(id)))
      const deleted = missing.filter((_, index) => found[index] === undefined)
      const page = next === undefined ? { threads } : { threads, next }
      return { number: (before?.number ?? 0) + 1, page, others, signs, deleted }
    },
    eventsBetween(before, now) {
      if (before === undefined || hasMissedDeletions(before, now)) return wholeList(now)
      const deleted = before.number === now.number - 1 ? now.deleted : []
      const threads = [...now.page.threads, ...now.others]
      const changed = threads.filter((thread) => before.signs.get(thread.id) !== now.signs.get(thread.id))
      return [
        ...deleted.map((id) => listFrame('deleted', { id })),
        ...changed.map((thread) => listFrame('thread', thread)),
      ].join('')
    },
    isLast: () => false,
  }
}

/** A view says only what was deleted since the one before it: a viewer that has skipped one may have missed some. */
const hasMissedDeletions = (before: ListView, now: ListView) =>
  before.number < now.number - 1 && [...before.signs.keys()].some((id) => !now.signs.has(id))

const wholeList = ({ page, others }: ListView) =>
  listFrame('threads', page) + others.map((thread) => listFrame('thread', thread)).join('')

function signOfThread({ title, updatedAt, lastRun }: ListedThread): string {
  const { id, state, outcome, asks, endedAt, digest } = lastRun ?? {}
  return JSON.stringify([title, updatedAt, id, state, outcome, asks, endedAt, digest])
}

const threadFrame = <Name extends keyof ThreadStreamEvents>(name: Name, data: ThreadStreamEvents[Name]) =>
  frameOf(name, data)

const listFrame = <Name extends keyof ThreadListStreamEvents>(name: Name, data: ThreadListStreamEvents[Name]) =>
  frameOf(name, data)

const frameOf = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
