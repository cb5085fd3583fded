import { mainRuns } from '@millrace/core/api'
import {
  type AppendRequest,
  appendRequestOf,
  asStored,
  checkMessage,
  checkRepeated,
  checkRequest,
  filesIn,
  type Head,
  isNext,
  stampOf,
  wellFormed,
} from './append-rules.ts'
import { createBell } from './bell.ts'
import { EntryLines, linesOf } from './entry-lines.ts'
import { LogError } from './errors.ts'
import { changesThread, checkLease } from './lease-rules.ts'
import type { Append, Log, LogMember, MessageRow, NewRun, StoredRun, StoredThread } from './log.ts'
import { createFileUsers } from './memory/file-users.ts'
import { existingRun, type HeldRun, newHeldRun } from './memory/held-run.ts'
import { createNodes } from './memory/nodes.ts'
import { createOwnership } from './memory/ownership.ts'
import { createSearchIndex } from './memory/search.ts'
import { createThreads } from './memory/threads.ts'
import { createTails } from './tail.ts'
import { contains } from './thread-pages.ts'

const PAGE = 500

/** The reference member: the shortest code that keeps a log's promises. */
export const memory: LogMember = {
  volatile: 'it keeps everything in memory',
  open: async ({ now = Date.now }) => createMemoryLog(now),
}

function createMemoryLog(now: () => number): Log {
  const runs = new Map<string, HeldRun>()
  const messages = new Map<string, MessageRow>()
  const files = createFileUsers()
  const nodes = createNodes()
  const bell = createBell()
  const clock = () => Math.floor(now())
  const threads = createThreads(clock, bell.ring)
  let isClosed = false
  let lastNumber = 0

  const tails = createTails({
    async head(runId) {
      const run = runs.get(runId)
      return run && { seq: run.info.seq, isEnded: run.info.state === 'ended' }
    },
    async page(runId, after) {
      const from = Math.max(after, 0)
      return new EntryLines(from, runs.get(runId)?.lines.slice(from, from + PAGE) ?? [])
    },
  })

  const searchIndex = createSearchIndex(checkOpen, runs, threads.note)
  const infos = () => [...runs.values()].map(({ info }) => info)

  function checkOpen(operation: string): void {
    if (isClosed) throw new LogError('log-closed', operation)
  }

  function find(runId: string): HeldRun {
    const run = runs.get(runId)
    if (run === undefined) throw new LogError('unknown-run', runId)
    return run
  }

  /** Changes a run's state, not its entries. */
  function change(run: HeldRun, info: StoredRun): StoredRun {
    run.info = info
    threads.note(info.threadId)
    bell.ring({ runId: info.id })
    return info
  }

  function add(newRun: NewRun, state: 'queued' | 'live'): StoredRun {
    const run = newHeldRun(newRun, ++lastNumber, state, clock())
    runs.set(newRun.id, run)
    threads.touch(newRun.threadId)
    return run.info
  }

  function create(newRun: NewRun): { run: StoredRun; isNew: boolean } {
    const { threadId, owner, idempotencyKey: key, requestHash: hash, isAlone } = newRun
    const existing = existingRun(runs, newRun)
    if (existing !== undefined) {
      checkRequest(existing, { key, hash })
      return { run: existing.info, isNew: false }
    }
    const isInTheWay = (run: StoredRun) =>
      run.threadId === threadId && run.state !== 'ended' && run.parentRunId === undefined
    if (isAlone && infos().some(isInTheWay)) throw new LogError('run-live', threadId)
    if (owner !== undefined) checkLease(owner, nodes.has)
    return { run: add(newRun, 'live'), isNew: true }
  }

  function store(run: HeldRun, head: Head, request: AppendRequest, append: Append): EntryLines {
    const stamp = stampOf(head, request)
    const added = new EntryLines(head.seq, linesOf(append, head.seq, stamp))
    const inputs = append.inputs.map((input) => (input.by === 'producer' ? { ...input } : asStored(input)))
    const message = append.message && asStored(wellFormed(append.message))
    // All or nothing: a value that cannot be copied has thrown before the first change.
    for (const line of added.lines) run.lines.push(line)
    for (const input of inputs) run.inputs.push(input)
    if (added.lines.length > 0) run.lastAt = stamp.at
    run.inbox.settle(append.settle ?? [])
    const { owner: _owner, waitUntil: _wait, ...unowned } = run.info
    run.info = {
      ...(request.end ? unowned : run.info),
      seq: head.seq + added.lines.length,
      rawRecords: head.rawRecords + request.rawRecords,
      ...(append.framing !== undefined && { framing: append.framing }),
      ...(request.end && { state: 'ended', outcome: request.end, endedAt: stamp.at }),
    }
    files.add(run.info.threadId, filesIn(append.events))
    if (message) messages.set(message.id, message)
    const { followUp } = append
    if (followUp && existingRun(runs, followUp) === undefined) add(followUp, 'queued')
    tails.wake(request.runId, added, request.end !== undefined)
    if (request.end) threads.touch(run.info.threadId)
    else if (changesThread(append)) threads.note(run.info.threadId)
    if (request.end || append.settle) bell.ring({ runId: request.runId })
    return added
  }

  function remove(threadId: string): boolean {
    const threadRuns = [...runs.values()].filter(({ info }) => info.threadId === threadId)
    const open = threadRuns.find(({ info }) => info.state !== 'ended')
    if (open !== undefined) throw new LogError('run-live', open.info.id)
    const runIds = threadRuns.map(({ info }) => info.id)
    for (const runId of runIds) runs.delete(runId)
    nodes.forgetRuns(runIds)
    searchIndex.forget(runIds)
    tails.forget(runIds)
    for (const message of [...messages.values()]) if (message.chatId === threadId) messages.delete(message.id)
    files.removeThread(threadId)
    const isThere = threads.delete(threadId)
    bell.ring({ threadId }, ...runIds.map((runId) => ({ runId })))
    return isThere
  }

  const isFound = (thread: StoredThread, search: string) =>
    contains(thread.title, search) ||
    [...messages.values()].some(({ chatId, content }) => chatId === thread.id && contains(content, search))

  return {
    async createThread({ id, title }) {
      checkOpen('create a thread')
      return threads.get(id) ?? threads.touch(id, { title: title?.toWellFormed() ?? '' })
    },
    async threads(query) {
      checkOpen('list threads')
      return threads.page(query, (thread) => isFound(thread, query.search ?? ''))
    },
    async thread(threadId) {
      checkOpen('find a thread')
      return threads.get(threadId)
    },
    async renameThread(threadId, title) {
      checkOpen('rename a thread')
      return threads.get(threadId) && threads.touch(threadId, { title: title.toWellFormed() })
    },
    async deleteThread(threadId) {
      checkOpen('delete a thread')
      return remove(threadId)
    },
    async unusedFiles() {
      checkOpen('list files')
      return files.unused()
    },
    async forgetFiles(fileIds) {
      checkOpen('forget files')
      files.forget(fileIds)
    },
    async createRun(run) {
      checkOpen('create a run')
      return create(run)
    },
    async run(runId) {
      checkOpen('find a run')
      return runs.get(runId)?.info
    },
    async runs(threadId) {
      checkOpen('list runs')
      return infos().filter((info) => info.threadId === threadId)
    },
    async lastRuns(threadIds) {
      checkOpen('list runs')
      const newest = new Map(mainRuns(infos()).map((info) => [info.threadId, info]))
      return threadIds.flatMap((threadId) => newest.get(threadId) ?? [])
    },
    async recentRuns(since, limit) {
      checkOpen('list runs')
      const recent = mainRuns(infos()).filter(({ createdAt }) => createdAt >= since)
      return recent.toReversed().slice(0, limit)
    },
    async openRuns() {
      checkOpen('list runs')
      return infos().filter(({ state }) => state !== 'ended')
    },
    ...createOwnership({ checkOpen, clock, find, change, infos, ring: bell.ring }, nodes),
    watch: bell.watch,
    async append(runId, position, append) {
      checkOpen('append')
      const request = appendRequestOf(runId, position, append, now)
      const run = find(runId)
      const head = { ...run.info, lastAt: run.lastAt }
      checkMessage(head, append.message)
      if (isNext(head, request)) return store(run, head, request, append)
      const { afterSeq } = position
      const stored = new EntryLines(afterSeq, run.lines.slice(afterSeq, afterSeq + append.events.length))
      const handed = new EntryLines(afterSeq, linesOf(append, afterSeq, stampOf(head, request)))
      checkRepeated(head, request, stored.entries(), handed.entries())
      return stored
    },
    lines: tails.lines,
    read: tails.read,
    async *inputs(runId) {
      checkOpen('read inputs')
      const { inputs } = find(runId)
      for (let at = 0; at < inputs.length; at += PAGE) yield inputs.slice(at, at + PAGE)
    },
    async messages(threadId) {
      checkOpen('list messages')
      return [...messages.values()].filter(({ chatId }) => chatId === threadId)
    },
    index: searchIndex.index,
    unindexed: searchIndex.unindexed,
    search: searchIndex.search,
    async pack(runId) {
      checkOpen('pack a run')
      if (find(runId).info.state !== 'ended') throw new LogError('run-live', runId)
    },
    async trouble() {
      checkOpen('report trouble')
      return undefined
    },
    async close() {
      isClosed = true
      tails.fail(new LogError('log-closed', 'read on'))
    },
  }
}
