import { Worker } from 'node:worker_threads'
import { type AppendRequest, appendRequestOf, expectedStamp, filesIn, wellFormed } from './append-rules.ts'
import { createBell } from './bell.ts'
import { EntryLines, linesOf } from './entry-lines.ts'
import { isTrouble, LogError } from './errors.ts'
import { changesThread } from './lease-rules.ts'
import type { Append, Log, LogMember, LogOptions, Position, Subject } from './log.ts'
import { cargoOf, type Handover } from './sqlite/append.ts'
import { type Channel, createChannel } from './sqlite/channel.ts'
import { linesIn, slicesOf } from './sqlite/entry-rows.ts'
import { handedText } from './sqlite/handed-text.ts'
import { inputSlicesOf } from './sqlite/input-pages.ts'
import type { Reads } from './sqlite/reads.ts'
import { type WatchedWriter, watchedWriter } from './sqlite/watched-writer.ts'
import type { Writes } from './sqlite/writes.ts'
import { createTails } from './tail.ts'
import type { Tails } from './tail-contract.ts'

/** The embedded default: one file in the folder that survives a loss of power, written and read by its own threads. */
export const sqlite: LogMember = {
  async open(options) {
    // The writer creates the file that the reader opens.
    const writer = await start<Writes>(options.folder, 'write')
    const reader = await start<Reads>(options.folder, 'read').catch(async (error) => {
      await writer.end()
      throw error
    })
    const tails = tailsOf(reader)
    // If one thread fails, the other cannot continue.
    writer.onFailure((failure) => reader.fail(failure))
    reader.onFailure((failure) => {
      writer.fail(failure)
      tails.fail(failure)
    })
    return createLog(watchedWriter(writer), reader, tails, options)
  },
}

async function start<Operations>(folder: string, role: 'read' | 'write'): Promise<Channel<Operations>> {
  const worker = new Worker(new URL('./sqlite/worker.ts', import.meta.url), { workerData: { folder, role } })
  const channel = createChannel<Operations>(worker)
  await channel.ready
  return channel
}

function tailsOf(reader: Channel<Reads>): Tails {
  return createTails({
    async head(runId) {
      const run = await reader.call('run', runId)
      return run && { seq: run.seq, isEnded: run.state === 'ended' }
    },
    async page(runId, after) {
      const from = Math.max(after, 0)
      return new EntryLines(from, linesIn(await reader.call('page', runId, from)))
    },
  })
}

function createLog(
  writer: WatchedWriter,
  reader: Channel<Reads>,
  tails: Tails,
  { now: clock = Date.now }: LogOptions,
): Log {
  const now = () => Math.floor(clock())
  const bell = createBell()

  async function append(runId: string, position: Position, content: Append): Promise<EntryLines> {
    const { afterSeq } = position
    const request = appendRequestOf(runId, position, content, now)
    const lines = linesOf(content, afterSeq, expectedStamp(request))
    const handover = handoverOf(request, lines, content, now)
    const cargo = cargoOf(handover)
    const appended = await writer.ship(cargo, 'append', handover).catch((error: unknown) => {
      if (isTrouble(error)) tails.cut(runId, error)
      throw error
    })
    const { repeated, stamp, threadId } = appended
    if (repeated !== undefined) return new EntryLines(afterSeq, repeated)
    const added = new EntryLines(afterSeq, stamp === undefined ? lines : linesOf(content, afterSeq, stamp))
    tails.wake(runId, added, request.end !== undefined)
    if (handover.changesThread) bell.ring({ runId }, { threadId })
    else if (handover.settle.length > 0) bell.ring({ runId })
    return added
  }

  async function ringing<Value>(written: Promise<Value>, subjectsOf: (value: Value) => readonly Subject[]) {
    const value = await written
    bell.ring(...subjectsOf(value))
    return value
  }

  async function pack(runId: string): Promise<void> {
    const run = await reader.call('run', runId)
    if (run === undefined) throw new LogError('unknown-run', runId)
    if (run.state !== 'ended') throw new LogError('run-live', runId)
    await writer.call('mergeRun', runId)
    // Row by row: no commit of another run waits long, and reads can come between two rows.
    let row = await reader.call('packed', runId, 0)
    while (row !== undefined) {
      await writer.call('repack', runId, row)
      row = await reader.call('packed', runId, row.last_seq)
    }
  }

  async function close(): Promise<void> {
    const drained = [reader.drain(), writer.drain()]
    tails.fail(new LogError('log-closed', 'read on'))
    await Promise.all(drained)
    // The reader first: the last connection to close merges the journal into the file, and only the writer can do that.
    await reader.end()
    await writer.end()
  }

  let closing: Promise<void> | undefined
  return {
    createThread: ({ id, title = '' }) =>
      ringing(writer.call('createThread', id, title.toWellFormed(), now()), () => [{ threadId: id }]),
    threads: ({ search = '', after, limit }) => reader.call('threads', { search, after, limit }),
    thread: (threadId) => reader.call('thread', threadId),
    renameThread: (threadId, title) =>
      ringing(writer.call('renameThread', threadId, title.toWellFormed(), now()), () => [{ threadId }]),
    async deleteThread(threadId) {
      const runIds = await writer.call('deleteThread', threadId)
      tails.forget(runIds ?? [])
      bell.ring({ threadId }, ...(runIds ?? []).map((runId) => ({ runId })))
      return runIds !== undefined
    },
    unusedFiles: () => reader.call('unusedFiles'),
    forgetFiles: (fileIds) => writer.call('forgetFiles', fileIds),
    createRun: (run) => ringing(writer.call('createRun', run, now()), () => [{ threadId: run.threadId }]),
    run: (runId) => reader.call('run', runId),
    runs: (threadId) => reader.call('runs', threadId),
    lastRuns: (threadIds) => reader.call('lastRuns', threadIds),
    recentRuns: (since, limit) => reader.call('recentRuns', since, limit),
    openRuns: () => reader.call('openRuns'),
    join: () => writer.call('join'),
    leave: (nodeId) => writer.call('leave', nodeId),
    acquire: (runId, nodeId, attempt) =>
      ringing(writer.call('acquire', runId, nodeId, attempt), ({ threadId }) => [{ runId }, { threadId }]),
    async release(runId, epoch, waitFor) {
      const waitUntil = waitFor === undefined ? undefined : now() + waitFor
      const threadId = await writer.call('release', runId, epoch, waitUntil)
      if (threadId !== undefined) bell.ring({ runId }, { threadId })
    },
    expired: () => reader.call('expired', now()),
    tell: (runId, command) => ringing(writer.call('tell', runId, command, now()), () => [{ runId }]),
    // -1 is SQL's word for no limit.
    commands: (runId, { after, limit = -1, isOpen = false }) => reader.call('commands', runId, after, limit, isOpen),
    setFollowing: (runId, nodeId, isFollowing) => writer.call('setFollowing', runId, nodeId, isFollowing),
    isFollowed: (runId) => reader.call('isFollowed', runId),
    watch: bell.watch,
    append,
    lines: tails.lines,
    read: tails.read,
    async *inputs(runId) {
      let page = await reader.call('inputs', runId, 0)
      while (page.inputs.length > 0) {
        yield page.inputs
        page = await reader.call('inputs', runId, page.last)
      }
    },
    messages: (threadId) => reader.call('messages', threadId),
    async index(runId, texts, version, digest) {
      const threadId = await writer.call('index', runId, texts, version, digest)
      if (digest !== undefined) bell.ring({ threadId })
    },
    unindexed: (version, limit) => reader.call('unindexed', version, limit),
    search: (query) => reader.call('search', query),
    pack,
    async trouble() {
      if (closing !== undefined) throw new LogError('log-closed', 'report trouble')
      return writer.trouble()
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

function handoverOf(request: AppendRequest, lines: readonly string[], append: Append, now: () => number): Handover {
  const message = append.message && wellFormed(append.message)
  return {
    request,
    slices: slicesOf(lines).map(({ count, lines }) => ({ count, lines: handedText(lines) })),
    inputs: inputSlicesOf(append.inputs).map(({ count, page }) => ({ count, page: handedText(page) })),
    message: message && {
      id: message.id,
      chat_id: message.chatId,
      role: message.role,
      content: handedText(message.content),
      message_metadata: handedText(JSON.stringify(message.metadata)),
    },
    framing: append.framing,
    files: filesIn(append.events),
    settle: append.settle ?? [],
    followUp: append.followUp,
    changesThread: changesThread(append),
    now: now(),
  }
}
