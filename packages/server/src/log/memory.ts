import type { Entry } from '@millrace/core/events'
import { present } from '@millrace/core/json'
import {
  type AppendRequest,
  appendRequestOf,
  asStored,
  checkAttempt,
  checkMessage,
  checkRepeated,
  checkRequest,
  filesIn,
  type Head,
  isNext,
  makerField,
  makersOf,
  rawThroughOf,
  stampOf,
  wellFormed,
} from './append-rules.ts'
import { LogError } from './errors.ts'
import type { Append, Log, LoggedInput, LogMember, MessageRow, NewRun, StoredRun, StoredThread } from './log.ts'
import { createFileUsers } from './memory/file-users.ts'
import { createTails } from './tail.ts'
import { comesAfter, contains, limitOf, pageOf, positionOf } from './thread-pages.ts'

const PAGE = 500

interface HeldRun {
  info: StoredRun
  readonly key: string | undefined
  readonly hash: string | undefined
  lastAt: number
  readonly entries: Entry[]
  readonly inputs: LoggedInput[]
}

/** The reference member: the shortest code that keeps a log's promises. */
export const memory: LogMember = {
  volatile: 'it keeps everything in memory',
  open: async ({ now = Date.now }) => createMemoryLog(now),
}

function createMemoryLog(now: () => number): Log {
  const threads = new Map<string, StoredThread>()
  const runs = new Map<string, HeldRun>()
  const messages = new Map<string, MessageRow>()
  const files = createFileUsers()
  const clock = () => Math.floor(now())
  let isClosed = false

  const tails = createTails({
    async head(runId) {
      const run = runs.get(runId)
      return run && { seq: run.info.seq, isEnded: run.info.state === 'ended' }
    },
    page: async (runId, after) => runs.get(runId)?.entries.slice(Math.max(after, 0), after + PAGE) ?? [],
  })

  function checkOpen(operation: string): void {
    if (isClosed) throw new LogError('log-closed', operation)
  }

  function find(runId: string): HeldRun {
    const run = runs.get(runId)
    if (run === undefined) throw new LogError('unknown-run', runId)
    return run
  }

  function touch(threadId: string, change: { readonly title?: string } = {}): StoredThread {
    const at = clock()
    const thread = threads.get(threadId) ?? { id: threadId, title: '', createdAt: at, updatedAt: at }
    const touched = { ...thread, ...change, updatedAt: Math.max(thread.updatedAt, at) }
    threads.set(threadId, touched)
    return touched
  }

  function create({ idempotencyKey, requestHash: hash, ...fields }: NewRun): { run: StoredRun; isNew: boolean } {
    const isSame = ({ info, key }: HeldRun) =>
      key !== undefined && key === idempotencyKey && info.threadId === fields.threadId
    const existing = runs.get(fields.id) ?? [...runs.values()].find(isSame)
    if (existing !== undefined) checkRequest(existing, { key: idempotencyKey, hash })
    if (existing !== undefined) return { run: existing.info, isNew: false }
    touch(fields.threadId)
    const createdAt = clock()
    const run: StoredRun = { ...present(fields), state: 'live', seq: 0, rawRecords: 0, createdAt }
    runs.set(run.id, { info: run, key: idempotencyKey, hash, lastAt: createdAt, entries: [], inputs: [] })
    return { run, isNew: true }
  }

  function store(run: HeldRun, head: Head, request: AppendRequest, append: Append): readonly Entry[] {
    const at = stampOf(head, request)
    const rawThrough = rawThroughOf(append)
    const makers = makersOf(append)
    const entries = append.events.map(
      (event, index): Entry => ({
        seq: head.seq + index + 1,
        at,
        event: asStored(event),
        rawThrough: head.rawRecords + (rawThrough[index] ?? 0),
        ...makerField(makers?.[index]),
      }),
    )
    const inputs = append.inputs.map((input) => (input.by === 'producer' ? { ...input } : asStored(input)))
    const message = append.message && asStored(wellFormed(append.message))
    // All or nothing: a value that cannot be copied has thrown before the first change.
    for (const entry of entries) run.entries.push(entry)
    for (const input of inputs) run.inputs.push(input)
    if (entries.length > 0) run.lastAt = at
    run.info = {
      ...run.info,
      attempt: request.attempt,
      seq: head.seq + entries.length,
      rawRecords: head.rawRecords + request.rawRecords,
      ...(append.framing !== undefined && { framing: append.framing }),
      ...(request.end && { state: 'ended', outcome: request.end, endedAt: at }),
    }
    files.add(run.info.threadId, filesIn(append.events))
    if (message) messages.set(message.id, message)
    if (request.end) touch(run.info.threadId)
    tails.wake(request.runId, entries, 0)
    return entries
  }

  function remove(threadId: string): boolean {
    const threadRuns = [...runs.values()].filter(({ info }) => info.threadId === threadId)
    const open = threadRuns.find(({ info }) => info.state !== 'ended')
    if (open !== undefined) throw new LogError('run-live', open.info.id)
    for (const { info } of threadRuns) runs.delete(info.id)
    tails.forget(threadRuns.map(({ info }) => info.id))
    for (const message of [...messages.values()]) if (message.chatId === threadId) messages.delete(message.id)
    files.removeThread(threadId)
    return threads.delete(threadId)
  }

  const isFound = (thread: StoredThread, search: string) =>
    contains(thread.title, search) ||
    [...messages.values()].some(({ chatId, content }) => chatId === thread.id && contains(content, search))

  const infos = () => [...runs.values()].map(({ info }) => info)

  return {
    async createThread({ id, title }) {
      checkOpen('create a thread')
      return threads.get(id) ?? touch(id, { title: title?.toWellFormed() ?? '' })
    },
    async threads({ search = '', after, limit }) {
      checkOpen('list threads')
      const position = after === undefined ? undefined : positionOf(after)
      const found = [...threads.values()]
        .filter((thread) => position === undefined || comesAfter(thread, position))
        .filter((thread) => isFound(thread, search))
        .sort((one, other) => (comesAfter(one, other) ? 1 : -1))
      return pageOf(found, limitOf(limit))
    },
    async thread(threadId) {
      checkOpen('find a thread')
      return threads.get(threadId)
    },
    async renameThread(threadId, title) {
      checkOpen('rename a thread')
      return threads.has(threadId) ? touch(threadId, { title: title.toWellFormed() }) : undefined
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
      const newest = new Map(infos().map((info) => [info.threadId, info]))
      return threadIds.flatMap((threadId) => newest.get(threadId) ?? [])
    },
    async openRuns() {
      checkOpen('list runs')
      return infos().filter(({ state }) => state !== 'ended')
    },
    async claim(runId, attempt) {
      checkOpen('claim a run')
      const run = find(runId)
      checkAttempt(run.info, attempt)
      run.info = { ...run.info, attempt }
      return run.info
    },
    async setState(runId, state) {
      checkOpen('change a run')
      const run = find(runId)
      if (run.info.state === 'ended') throw new LogError('run-closed', runId)
      run.info = { ...run.info, state }
    },
    async append(runId, position, append) {
      checkOpen('append')
      const request = appendRequestOf(runId, position, append, now)
      const run = find(runId)
      const head = { ...run.info, lastAt: run.lastAt }
      checkMessage(head, append.message)
      if (isNext(head, request)) return store(run, head, request, append)
      const stored = run.entries.slice(position.afterSeq, position.afterSeq + append.events.length)
      const texts = append.events.map((event) => JSON.stringify(asStored(event)))
      checkRepeated(head, request, stored, texts)
      return stored
    },
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
