import { ApiError, connectionError } from '../api/api-error.ts'
import type { RunInfo, StartRun } from '../api/api-types.ts'
import { newRunId } from '../api/ids.ts'
import { createApi } from './api.ts'
import { expectedChatEvents } from './optimistic.ts'
import { platformOf } from './platform.ts'
import { createPublisher, isSame } from './publisher.ts'
import { retrying } from './retrying.ts'
import { createRunStore } from './run-store.ts'
import { createThreadFollower, newestPages } from './thread-follower.ts'
import { createThreadRuns, type ThreadRun } from './thread-runs.ts'
import type { ThreadState, ThreadStore, ThreadStoreOptions, ThreadStoreSnapshot } from './thread-shapes.ts'

export function createThreadStore(options: ThreadStoreOptions): ThreadStore {
  const { baseUrl, threadId, isNew = false } = options
  const platform = platformOf(options)
  const api = createApi({ ...options, fetch: platform.fetch })
  const runs = createThreadRuns()
  let thread: ThreadStoreSnapshot['thread'] = { id: threadId, title: '', runs: [] }
  let isOpen = false
  let hasLoaded = isNew
  let error: ApiError | undefined
  let loads = 0
  /** Posts are sent one after the other, because each continues the previous one. Never rejects. */
  let lastPost: Promise<void> = Promise.resolve()
  let stopWakes = () => {}
  /** The publications of the run stores: they happen with the thread's own, in the same frame. */
  let duePublications: (() => void)[] = []

  const publisher = createPublisher<ThreadStoreSnapshot>(
    { thread, chatEvents: [], state: 'idle' },
    platform.schedule,
    (before) => {
      const publishes = duePublications
      duePublications = []
      for (const publish of publishes) publish()
      if (runs.settle()) noteRuns()
      const now = viewNow(before)
      return isSame(before, now) ? before : now
    },
  )

  function viewNow(before: ThreadStoreSnapshot): ThreadStoreSnapshot {
    const joined = runs.chatEvents()
    const newest = runs.shown().at(-1)
    const chatEvents = isSame(before.chatEvents, joined) ? before.chatEvents : joined
    return {
      thread,
      chatEvents,
      state: stateNow(newest),
      ...(newest?.store !== undefined && { newest: newest.store.snapshot() }),
      ...(error !== undefined && { error }),
    }
  }

  function stateNow(newest: ThreadRun | undefined): ThreadState {
    if (newest?.isSending) return 'sending'
    if (!hasLoaded) return error === undefined ? (isOpen ? 'loading' : 'idle') : 'failed'
    if (newest !== undefined && newest.info.state !== 'ended') return 'running'
    return newest?.info.outcome === 'awaiting-input' ? 'awaiting-input' : 'ready'
  }

  function noteRuns(title = thread.title): void {
    const acknowledged = runs.all().filter(({ isSending }) => !isSending)
    const infos = acknowledged.map(({ info }) => info)
    if (title !== thread.title || !isSame(infos, thread.runs)) thread = { id: threadId, title, runs: infos }
  }

  /** Streams the shown runs that have not ended. */
  function connect(): void {
    if (!isOpen) return
    for (const { isSending, ...run } of runs.shown()) {
      if (isSending || run.info.state === 'ended' || run.store !== undefined) continue
      const schedule = (publish: () => void) => {
        duePublications.push(publish)
        publisher.changed()
      }
      const store = createRunStore({ ...options, baseUrl, runId: run.info.id, url: undefined, schedule })
      runs.put({ ...run, store })
      store.start()
    }
  }

  const follower = createThreadFollower({
    ...options,
    api,
    runs,
    isLoaded: () => hasLoaded,
    onChange(title) {
      if (!hasLoaded) {
        if (error !== undefined) void reload()
        return
      }
      noteRuns(title)
      connect()
      publisher.changed()
    },
    onDeleted: remove,
  })

  /** The thread was deleted elsewhere. */
  function remove(): void {
    loads++
    for (const { store } of runs.all()) store?.stop()
    runs.clear()
    noteRuns()
    hasLoaded = false
    error = new ApiError(404, 'unknown-thread', 'The thread was deleted.')
    publisher.changed()
  }

  async function reload(): Promise<void> {
    const load = ++loads
    try {
      const isWanted = () => load === loads
      const whole = () =>
        newestPages(
          (query) => api.thread(threadId, query),
          () => false,
        )
      const detail = await retrying(platform, whole, isWanted)
      if (!isWanted()) return
      hasLoaded = true
      error = undefined
      runs.load(detail)
      noteRuns(detail.title)
      connect()
      follower.threadLoaded()
    } catch (cause) {
      if (load === loads) error = connectionError(cause)
    }
    publisher.publish()
  }

  async function post(run: ThreadRun, start: StartRun): Promise<void> {
    const { id } = run.info
    const before = runs.shown().findLast(({ isSending }) => !isSending)
    const link = start.afterRunId === undefined && before !== undefined ? { afterRunId: before.info.id } : {}
    const info = { ...run.info, ...link }
    runs.put({ ...run, info })
    try {
      await retrying(platform, () => api.startRun(threadId, { ...start, runId: id, ...link }, id))
    } catch (cause) {
      runs.remove(id)
      publisher.changed()
      throw cause
    }
    // The thread's stream may have named the run before the answer came.
    const { isSending: _sent, ...sent } = runs.all().find((each) => each.info.id === id) ?? { ...run, info }
    hasLoaded = true
    error = undefined
    runs.put(sent)
    noteRuns()
    if (isOpen) follower.start()
    connect()
    publisher.changed()
  }

  return {
    snapshot: publisher.snapshot,
    subscribe: publisher.subscribe,
    start() {
      if (isOpen) return
      isOpen = true
      stopWakes = platform.onWake(() => {
        if (follower.hasFailed() && (thread.runs.length > 0 || !isNew)) reload()
      })
      if (!isNew || thread.runs.length > 0) follower.start()
      if (!isNew) reload()
      for (const { store } of runs.all()) store?.start()
      connect()
      publisher.changed()
    },
    close() {
      isOpen = false
      loads++
      stopWakes()
      follower.stop()
      for (const { store } of runs.all()) store?.stop()
    },
    send(input, { agent, after } = {}) {
      const runInput = typeof input === 'string' ? { text: input } : input
      const id = newRunId()
      const agentField = agent === undefined ? {} : { agent }
      const last = after === undefined ? runs.shown().at(-1)?.info.id : after
      const link = typeof last === 'string' ? { afterRunId: last } : {}
      const info: RunInfo = { id, threadId, state: 'live', seq: 0, ...agentField, ...link }
      const run = { info, expected: expectedChatEvents(id, runInput, platform.now()), isSending: true }
      runs.put(run)
      publisher.changed()
      const branch = after === undefined ? {} : { afterRunId: after }
      const sent = lastPost.then(() => post(run, { input: runInput, ...agentField, ...branch }))
      lastPost = sent.catch(() => {})
      return sent
    },
    chatEventsAt: ({ runId, chatEvents }) => runs.chatEventsUpTo(runId, chatEvents),
    async stop() {
      await lastPost
      const live = runs.shown().filter(({ info }) => info.state !== 'ended')
      await Promise.all(live.map(({ info }) => api.stop(info.id)))
    },
    async answer(approvalId, answer) {
      const runId = runs.runOfApproval(approvalId)
      if (runId === undefined) throw new ApiError(0, 'not-asked', `No approval "${approvalId}" was requested.`)
      await api.answer(runId, approvalId, answer)
    },
    reload,
  }
}
