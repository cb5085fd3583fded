import { mainRuns, storedFileId } from '@millrace/core/api'
import type { Entry } from '@millrace/core/events'
import {
  type Append,
  EntryLines,
  type Log,
  LogError,
  type LoggedInput,
  type NewRun,
  type Position,
  type StoredRun,
  type StoredThread,
} from '@millrace/server/log'
import { type Contents, copyOf, findIn, note, type ReferenceRun, touch, unowned } from './log-reference-contents.ts'
import { checkEpoch, checkNode, createReferenceOwners, settle } from './log-reference-owners.ts'

/**
 * A log that is too simple to be wrong: lists, which every operation searches. It has neither live readers nor
 * watchers and is used one operation after another, to say what a member must do.
 */

const rawRecordsIn = (inputs: readonly LoggedInput[]) => inputs.filter(({ by }) => by === 'producer').length

const hasKeyOf =
  ({ idempotencyKey, threadId }: NewRun) =>
  ({ info, request }: ReferenceRun) =>
    idempotencyKey !== undefined && request.idempotencyKey === idempotencyKey && info.threadId === threadId

const earlierRun = ({ runs }: Contents, run: NewRun) =>
  runs.find(({ info }) => info.id === run.id) ?? runs.find(hasKeyOf(run))

function addRun(contents: Contents, run: NewRun, state: 'queued' | 'live', at: number): StoredRun {
  const { idempotencyKey, requestHash, isAlone: _isAlone, ...fields } = run
  const epoch = run.owner === undefined ? 0 : 1
  const info: StoredRun = { ...fields, state, epoch, seq: 0, rawRecords: 0, createdAt: at }
  const request = { idempotencyKey, requestHash } as never
  contents.runs.push({ info, request, lastAt: at, entries: [], inputs: [], commands: [], followers: [] })
  touch(contents, run.threadId, at)
  return info
}

function createRun(contents: Contents, run: NewRun, at: number) {
  const { idempotencyKey, requestHash, threadId } = run
  const earlier = earlierRun(contents, run)
  if (earlier !== undefined) {
    const stored = hasKeyOf(run)(earlier) ? earlier.request.requestHash : undefined
    if (stored !== undefined && requestHash !== undefined && stored !== requestHash) {
      throw new LogError('other-request', idempotencyKey ?? '')
    }
    return { run: earlier.info, isNew: false }
  }
  const ofThread = contents.runs.filter(({ info }) => info.threadId === threadId && info.parentRunId === undefined)
  if (run.isAlone && ofThread.some(({ info }) => info.state !== 'ended' && info.parentRunId === undefined))
    throw new LogError('run-live', threadId)
  if (run.owner !== undefined) checkNode(contents, run.owner)
  return { run: addRun(contents, run, 'live', at), isNew: true }
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
  checkEpoch(run, position.epoch)
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
    ...(last?.type === 'run-end' ? unowned(run.info) : run.info),
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
  settle(run, added.settle ?? [])
  if (last?.type === 'run-end') touch(contents, threadId, now)
  else if (added.events.some(({ type }) => type === 'approval')) note(contents, threadId)
  const { followUp } = added
  if (followUp !== undefined && earlierRun(contents, followUp) === undefined) addRun(contents, followUp, 'queued', now)
  return entries
}

const linesFrom = (after: number, entries: readonly Entry[]) =>
  new EntryLines(
    after,
    entries.map((entry) => JSON.stringify(entry)),
  )

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

function unsearched(): Pick<Log, 'index' | 'unindexed' | 'search'> {
  const refuse = () => Promise.reject(new Error('The reference log has no search.'))
  return { index: refuse, unindexed: refuse, search: refuse }
}

/** `nodes` have a lease from the beginning. */
export function createReferenceLog(now: () => number, nodes: readonly string[]): Log {
  const contents: Contents = { threads: [], runs: [], messages: [], files: [], unused: [], nodes: [...nodes] }
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
      threadIds.flatMap((threadId) => mainRuns(infos()).findLast((info) => info.threadId === threadId) ?? []),
    recentRuns: async (since, limit) =>
      infos()
        .filter(({ createdAt, parentRunId }) => createdAt >= since && parentRunId === undefined)
        .toReversed()
        .slice(0, limit),
    openRuns: async () => infos().filter(({ state }) => state !== 'ended'),
    ...createReferenceOwners(contents, now),
    watch: () => () => undefined,
    async append(runId, position, added) {
      const entries = append(contents, runId, position, added, now())
      return linesFrom(position.afterSeq, entries)
    },
    async *lines(runId, { after }) {
      const entries = findIn(contents, runId).entries.slice(after)
      if (entries.length > 0) yield linesFrom(after, entries)
    },
    async *read(runId, { after }) {
      const entries = findIn(contents, runId).entries.slice(after)
      if (entries.length > 0) yield entries
    },
    async *inputs(runId) {
      yield findIn(contents, runId).inputs.slice()
    },
    messages: async (threadId) => contents.messages.filter(({ chatId }) => chatId === threadId),
    // A search has promises of its own; no history asks for one.
    ...unsearched(),
    async pack(runId) {
      if (findIn(contents, runId).info.state !== 'ended') throw new LogError('run-live', runId)
    },
    trouble: async () => undefined,
    close: async () => undefined,
  }
}
