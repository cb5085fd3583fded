import type { RunInfo, ThreadDetail } from '../api/api-types.ts'
import type { Api } from './api.ts'
import { type ChangeFeedOptions, createThreadFeed } from './change-feeds.ts'
import type { ThreadRuns } from './thread-runs.ts'

export interface ThreadFollowerOptions extends ChangeFeedOptions {
  readonly threadId: string
  readonly api: Api
  readonly runs: ThreadRuns
  /** Whether the thread was read. */
  readonly isLoaded: () => boolean
  /** Called when the runs have changed, with the title if the stream has sent it. */
  readonly onChange: (title?: string) => void
  readonly onDeleted: () => void
}

/** Keeps the runs of a thread as the server has them, also those that others begin. */
export interface ThreadFollower {
  start(): void
  stop(): void
  /** Whether the server has no stream of the thread: then nothing is noticed. */
  hasFailed(): boolean
  /** MUST be called when the thread was read. */
  threadLoaded(): void
}

/** How many runs are read with one request. */
const MOST_AT_ONCE = 50

export function createThreadFollower(options: ThreadFollowerOptions): ThreadFollower {
  const { threadId, api, runs, isLoaded, onChange, onDeleted } = options
  /** The title that the stream has sent before the thread was read. */
  let earlyTitle: string | undefined
  /** The runs whose chat events were requested because they began and ended elsewhere. */
  const requested = new Set<string>()
  let isCatchingUp = false
  let hasFailed = false

  function take(infos: readonly RunInfo[], title?: string): void {
    runs.note(infos)
    if (!isLoaded()) earlyTitle = title ?? earlyTitle
    onChange(title)
    if (isLoaded()) void catchUp()
  }

  /** Reads the runs that began and ended elsewhere. Each is requested once. */
  async function catchUp(): Promise<void> {
    const missing = runs.missing().filter((id) => !requested.has(id))
    if (isCatchingUp || missing.length === 0) return
    isCatchingUp = true
    for (const id of missing) requested.add(id)
    const limit = Math.min(missing.length, MOST_AT_ONCE)
    const isThere = ({ runs: read }: ThreadDetail) => missing.every((id) => read.some((run) => run.id === id))
    try {
      runs.load(await newestPages((query) => api.thread(threadId, { limit, ...query }), isThere))
    } catch {
      // They are requested again when the stream names them again.
      for (const id of missing) requested.delete(id)
    }
    isCatchingUp = false
    onChange()
  }

  const feed = createThreadFeed(
    options,
    {
      thread({ thread, runs: infos }) {
        take(infos, thread.title)
        return 'more'
      },
      run(info) {
        take([info])
        return 'more'
      },
      deleted() {
        onDeleted()
        return 'ended'
      },
    },
    ({ connection }) => {
      hasFailed = connection === 'failed'
    },
  )

  return {
    start: feed.start,
    stop: feed.stop,
    hasFailed: () => hasFailed,
    threadLoaded() {
      const title = earlyTitle
      earlyTitle = undefined
      onChange(title)
      void catchUp()
    },
  }
}

/** The newest pages of a thread as one, until they are enough or there are no more. The first holds the newest runs. */
export async function newestPages(
  page: (query: { readonly before?: string }) => Promise<ThreadDetail>,
  areEnough: (detail: ThreadDetail) => boolean,
): Promise<ThreadDetail> {
  const { next, ...newest } = await page({})
  let whole: ThreadDetail = newest
  for (let before = next; before !== undefined && !areEnough(whole); ) {
    const older = await page({ before })
    const runs = [...older.runs, ...whole.runs]
    whole = { ...whole, runs, chatEvents: [...older.chatEvents, ...whole.chatEvents] }
    before = older.next === before ? undefined : older.next
  }
  return whole
}
