import { storedFileId } from '@millrace/core/api'
import type { Entry } from '@millrace/core/events'
import {
  type Append,
  type Log,
  LogError,
  type LoggedInput,
  type MessageRow,
  type NewRun,
  type Position,
  type StoredRun,
  type StoredThread,
} from '@millrace/server/log'

/**
 * A log that is too simple to be wrong: lists, which every operation searches. It has no live readers and is used one
 * operation after another, to say what a member must do.
 */

interface ReferenceRun {
  info: StoredRun
  readonly request: Pick<NewRun, 'idempotencyKey' | 'requestHash'>
  lastAt: number
  readonly entries: Entry[]
  readonly inputs: LoggedInput[]
}

interface Contents {
  threads: StoredThread[]
  runs: ReferenceRun[]
  messages: MessageRow[]
  /** One for each time that a thread names a file. */
  files: { readonly fileId: string; readonly threadId: string }[]
  unused: string[]
}

const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const rawRecordsIn = (inputs: readonly LoggedInput[]) => inputs.filter(({ by }) => by === 'producer').length

function findIn({ runs }: Contents, runId: string): ReferenceRun {
  const run = runs.find(({ info }) => info.id === runId)
  if (run === undefined) throw new LogError('unknown-run', runId)
  return run
}

function checkAttempt({ info }: ReferenceRun, attempt: number): void {
  if (attempt < info.attempt) throw new LogError('stale-attempt', `${attempt}`)
}

function touch(contents: Contents, threadId: string, at: number, title?: string): void {
  const earlier = contents.threads.find(({ id }) => id === threadId)
  const thread = earlier ?? { id: threadId, title: '', createdAt: at, updatedAt: at }
  const touched = { ...thread, title: title ?? thread.title, updatedAt: Math.max(thread.updatedAt, at) }
  contents.threads = [...contents.threads.filter(({ id }) => id !== threadId), touched]
}

function createRun(contents: Contents, run: NewRun, at: number) {
  const { idempotencyKey, requestHash, ...fields } = run
  const hasKey = ({ info, request }: ReferenceRun) =>
    idempotencyKey !== undefined && request.idempotencyKey === idempotencyKey && info.threadId === run.threadId
  const earlier = contents.runs.find(({ info }) => info.id === run.id) ?? contents.runs.find(hasKey)
  if (earlier !== undefined) {
    const stored = hasKey(earlier) ? earlier.request.requestHash : undefined
    if (stored !== undefined && requestHash !== undefined && stored !== requestHash) {
      throw new LogError('other-request', idempotencyKey ?? '')
    }
    return { run: earlier.info, isNew: false }
  }
  touch(contents, run.threadId, at)
  const info: StoredRun = { ...fields, state: 'live', seq: 0, rawRecords: 0, createdAt: at }
  contents.runs.push({ info, request: { idempotencyKey, requestHash } as never, lastAt: at, entries: [], inputs: [] })
  return { run: info, isNew: true }
}

/** The entries of an append that is stored already; throws if it is not. */
function repeated({ info, entries }: ReferenceRun, { afterSeq, afterRaw }: Position, append: Append): readonly Entry[] {
  const stored = entries.slice(afterSeq, afterSeq + append.events.length)
  const records = rawRecordsIn(append.inputs)
  const isStored =
    append.events.length > 0
      ? JSON.stringify(stored.map(({ event }) => event)) === JSON.stringify(append.events)
      : records > 0 && afterSeq === info.seq && afterRaw === info.rawRecords - records
  if (isStored) return stored
  throw new LogError(info.state === 'ended' ? 'run-closed' : 'wrong-position', info.id)
}

function append(contents: Contents, runId: string, position: Position, added: Append, now: number): readonly Entry[] {
  const run = findIn(contents, runId)
  const { threadId } = run.info
  if (added.message !== undefined && added.message.chatId !== threadId) {
    throw new LogError('foreign-message', added.message.id)
  }
  checkAttempt(run, position.attempt)
  const isNext =
    position.afterSeq === run.info.seq && (position.afterRaw ?? run.info.rawRecords) === run.info.rawRecords
  if (run.info.state === 'ended' || !isNext) return repeated(run, position, added)
  const at = Math.max(run.lastAt, added.at ?? now)
  const entries = added.events.map((event, index): Entry => {
    const rawThrough = run.info.rawRecords + rawRecordsIn(added.inputs.slice(0, added.through?.[index]))
    const by = added.by?.[index] ?? 'producer'
    return { seq: run.info.seq + index + 1, at, event: copyOf(event), rawThrough, ...(by !== 'producer' && { by }) }
  })
  const last = added.events.at(-1)
  run.entries.push(...entries)
  run.inputs.push(...added.inputs)
  if (entries.length > 0) run.lastAt = at
  run.info = {
    ...run.info,
    attempt: position.attempt,
    seq: run.entries.length,
    rawRecords: rawRecordsIn(run.inputs),
    ...(added.framing !== undefined && { framing: added.framing }),
    ...(last?.type === 'run-end' && { state: 'ended', outcome: last.outcome, endedAt: at }),
  }
  for (const event of added.events) {
    const storedId = event.type === 'file' ? storedFileId(event.url) : undefined
    if (storedId === undefined) continue
    contents.files.push({ fileId: storedId, threadId })
    contents.unused = contents.unused.filter((fileId) => fileId !== storedId)
  }
  if (added.message !== undefined) contents.messages.push(copyOf(added.message))
  if (last?.type === 'run-end') touch(contents, threadId, now)
  return entries
}

function deleteThread(contents: Contents, threadId: string): boolean {
  const open = contents.runs.find(({ info }) => info.threadId === threadId && info.state !== 'ended')
  if (open !== undefined) throw new LogError('run-live', open.info.id)
  const isThere = contents.threads.some(({ id }) => id === threadId)
  const named = contents.files.filter((file) => file.threadId === threadId)
  contents.threads = contents.threads.filter(({ id }) => id !== threadId)
  contents.runs = contents.runs.filter(({ info }) => info.threadId !== threadId)
  contents.messages = contents.messages.filter(({ chatId }) => chatId !== threadId)
  contents.files = contents.files.filter((file) => file.threadId !== threadId)
  const unused = named.map(({ fileId }) => fileId).filter((id) => contents.files.every(({ fileId }) => fileId !== id))
  contents.unused = [...new Set([...contents.unused, ...unused])].toSorted()
  return isThere
}

export function createReferenceLog(now: () => number): Log {
  const contents: Contents = { threads: [], runs: [], messages: [], files: [], unused: [] }
  const infos = () => contents.runs.map(({ info }) => info)
  const threadAt = (threadId: string) => contents.threads.find(({ id }) => id === threadId)
  return {
    async createThread({ id, title = '' }) {
      if (threadAt(id) === undefined) touch(contents, id, now(), title)
      return threadAt(id) as StoredThread
    },
    async threads({ search = '' }) {
      const isFound = ({ id, title }: StoredThread) =>
        [title, ...contents.messages.flatMap(({ chatId, content }) => (chatId === id ? [content] : []))].some((text) =>
          text.includes(search),
        )
      const found = contents.threads.filter(isFound)
      return {
        items: found.toSorted((one, other) => other.updatedAt - one.updatedAt || (one.id < other.id ? 1 : -1)),
      }
    },
    thread: async (threadId) => threadAt(threadId),
    async renameThread(threadId, title) {
      if (threadAt(threadId) !== undefined) touch(contents, threadId, now(), title)
      return threadAt(threadId)
    },
    deleteThread: async (threadId) => deleteThread(contents, threadId),
    unusedFiles: async () => contents.unused,
    async forgetFiles(fileIds) {
      contents.unused = contents.unused.filter((fileId) => !fileIds.includes(fileId))
    },
    createRun: async (run) => createRun(contents, run, now()),
    run: async (runId) => infos().find(({ id }) => id === runId),
    runs: async (threadId) => infos().filter((info) => info.threadId === threadId),
    lastRuns: async (threadIds) =>
      threadIds.flatMap((threadId) => infos().findLast((info) => info.threadId === threadId) ?? []),
    openRuns: async () => infos().filter(({ state }) => state !== 'ended'),
    async claim(runId, attempt) {
      const run = findIn(contents, runId)
      checkAttempt(run, attempt)
      run.info = { ...run.info, attempt }
      return run.info
    },
    async setState(runId, state) {
      const run = findIn(contents, runId)
      if (run.info.state === 'ended') throw new LogError('run-closed', runId)
      run.info = { ...run.info, state }
    },
    append: async (runId, position, added) => append(contents, runId, position, added, now()),
    async *read(runId, { after }) {
      const entries = findIn(contents, runId).entries.slice(after)
      if (entries.length > 0) yield entries
    },
    async *inputs(runId) {
      yield findIn(contents, runId).inputs.slice()
    },
    messages: async (threadId) => contents.messages.filter(({ chatId }) => chatId === threadId),
    async pack(runId) {
      if (findIn(contents, runId).info.state !== 'ended') throw new LogError('run-live', runId)
    },
    trouble: async () => undefined,
    close: async () => undefined,
  }
}
