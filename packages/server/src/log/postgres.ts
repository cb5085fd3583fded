import { postgres as postgresBus } from '../bus/postgres.ts'
import { appendRequestOf } from './append-rules.ts'
import { EntryLines } from './entry-lines.ts'
import { isTrouble, LogError } from './errors.ts'
import type { Append, Log, LogMember, LogOptions, Position, Subject } from './log.ts'
import { preparedAppend } from './postgres/append-batch.ts'
import { createAppends } from './postgres/appends.ts'
import { createCommandRows } from './postgres/commands.ts'
import { type Connections, connect } from './postgres/connections.ts'
import { createHealth } from './postgres/health.ts'
import { createLeases } from './postgres/lease.ts'
import { createPages } from './postgres/pages.ts'
import { createRunRows } from './postgres/runs.ts'
import { createSearch } from './postgres/search.ts'
import { createThreads } from './postgres/threads.ts'
import { createWakes, type Wakes } from './postgres/wakes.ts'
import { createTails } from './tail.ts'
import type { Tails } from './tail-contract.ts'

const LEASE_TTL = 6_000

/** How long `open` waits for the bus, in ms: without it, what others do is seen about a second later. */
const BUS_WITHIN = 1_000

/** For several processes on one database. A node's lease ends by time; any other node decides about the runs it left. */
export const postgres: LogMember = {
  isShared: true,
  async open(options) {
    const { url, leaseTtl = LEASE_TTL } = options
    if (url === undefined) throw new LogError('log-unreachable', 'it has no URL')
    const connections = await connect(url, leaseTtl)
    const { member, url: busUrl } = options.bus ?? { member: postgresBus, url }
    const report = options.report ?? ((error: Error) => process.emitWarning(error))
    const bus = await member.open({ url: busUrl, scope: connections.storeId, report }).catch(async (error: unknown) => {
      await connections.close()
      throw error
    })
    const isReady = bus.ready().catch(() => undefined)
    await Promise.race([isReady, new Promise((resolve) => setTimeout(resolve, BUS_WITHIN).unref())])
    return createLog(connections, { ...options, leaseTtl }, bus, member.largestMessage)
  },
}

type Bus = Awaited<ReturnType<typeof postgresBus.open>>

function createLog(
  connections: Connections,
  { now: clock = Date.now, now: givenClock, leaseTtl }: LogOptions & { readonly leaseTtl: number },
  bus: Bus,
  largestMessage: number,
): Log {
  const now = () => Math.floor(clock())
  const waitClock = () => (givenClock === undefined ? null : now())
  const leases = createLeases({ connections, ttl: leaseTtl, onBuried: () => wakes.changed('expired') })
  const pages = createPages(connections)
  const threads = createThreads(connections, now)
  const searchIndex = createSearch(connections)
  const runs = createRunRows({ connections, leases, now, waitClock })
  const commands = createCommandRows(connections)
  const wakes: Wakes = createWakes({ connections, leases, bus, largestMessage, tails: () => tails, waitClock })
  const health = createHealth(connections)
  const appends = createAppends({
    writers: connections.appending,
    aside: connections.aside,
    stored: pages.lines,
    checkFence: leases.checkFence,
  })
  const tails: Tails = createTails({
    async head(runId) {
      const head = await task('read on', () => pages.head(runId))
      if (head !== undefined) wakes.noteNumber(runId, head.number)
      return head
    },
    page: (runId, after) => task('read on', () => pages.page(runId, after)),
    follow: wakes.follow,
  })
  /** Everything that was handed over and is not done. */
  const tasks = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  function task<Value>(operation: string, act: () => Promise<Value>): Promise<Value> {
    if (closing !== undefined) return Promise.reject(new LogError('log-closed', operation))
    const done = health.watched(act()).finally(() => tasks.delete(done))
    tasks.add(done)
    return done
  }

  async function ringing<Value>(written: Promise<Value>, subjectsOf: (value: Value) => readonly Subject[]) {
    const value = await written
    wakes.changed(...subjectsOf(value))
    return value
  }

  async function append(runId: string, position: Position, content: Append): Promise<EntryLines> {
    const request = appendRequestOf(runId, position, content, now)
    const prepared = preparedAppend(request, content, now())
    const { lines, number, threadId } = await appends.add(prepared).catch((error: unknown) => {
      if (isTrouble(error)) tails.cut(runId, error)
      throw error
    })
    const isEnd = request.end !== undefined
    const added = new EntryLines(position.afterSeq, lines)
    if (isEnd) leases.disown(runId)
    // A repetition: the readers may have it already.
    tails.grown(runId, position.afterSeq + lines.length, isEnd, added)
    if (lines.length > 0) wakes.appended(runId, number, added, isEnd)
    const { rings = false, bumps = false } = prepared.extras ?? {}
    if (bumps) wakes.changed({ runId }, { threadId })
    else if (rings) wakes.changed({ runId })
    return added
  }

  async function close(): Promise<void> {
    tails.fail(new LogError('log-closed', 'read on'))
    await Promise.allSettled(tasks)
    await Promise.allSettled([wakes.close(), leases.close()])
    await Promise.allSettled([bus.close(), connections.close()])
  }

  return {
    createThread: ({ id, title = '' }) =>
      ringing(
        task('create a thread', () => threads.createThread(id, title.toWellFormed())),
        () => [{ threadId: id }],
      ),
    threads: (query) => task('list threads', () => threads.threads(query)),
    thread: (threadId) => task('find a thread', () => threads.thread(threadId)),
    renameThread: (threadId, title) =>
      ringing(
        task('rename a thread', () => threads.renameThread(threadId, title.toWellFormed())),
        () => [{ threadId }],
      ),
    async deleteThread(threadId) {
      const runIds = await task('delete a thread', () => threads.deleteThread(threadId))
      tails.forget(runIds ?? [])
      wakes.changed({ threadId }, ...(runIds ?? []).map((runId) => ({ runId })))
      return runIds !== undefined
    },
    unusedFiles: () => task('list files', threads.unusedFiles),
    forgetFiles: (fileIds) => task('forget files', () => threads.forgetFiles(fileIds)),
    createRun: (run) =>
      ringing(
        task('create a run', () => runs.createRun(run)),
        () => [{ threadId: run.threadId }],
      ),
    run: (runId) => task('find a run', () => runs.run(runId)),
    runs: (threadId) => task('list runs', () => runs.runs(threadId)),
    lastRuns: (threadIds) => task('list runs', () => runs.lastRuns(threadIds)),
    recentRuns: (since, limit) => task('list runs', () => runs.recentRuns(since, limit)),
    openRuns: () => task('list runs', runs.openRuns),
    join: (onLost = () => undefined) => task('join', () => leases.join(onLost)),
    leave: (nodeId) => task('leave', () => leases.leave(nodeId)),
    async acquire(runId, nodeId, attempt) {
      const { run, isTaken } = await task('acquire a run', () => runs.acquire(runId, nodeId, attempt))
      if (isTaken) wakes.changed({ runId }, { threadId: run.threadId })
      return run
    },
    async release(runId, epoch, waitFor) {
      const threadId = await task('release a run', () => runs.release(runId, epoch, waitFor))
      if (threadId !== undefined) wakes.changed({ runId }, { threadId })
    },
    expired: () => task('list runs', runs.expired),
    tell: (runId, command) =>
      ringing(
        task('take a command', () => commands.tell(runId, command, now())),
        () => [{ runId }],
      ),
    commands: (runId, query) => task('list commands', () => commands.commands(runId, query)),
    setFollowing: (...values) => task('follow a run', () => commands.setFollowing(...values)),
    isFollowed: (runId) => task('find followers', () => commands.isFollowed(runId)),
    watch: wakes.watch,
    append: (...values) => task('append', () => append(...values)),
    lines: tails.lines,
    read: tails.read,
    async *inputs(runId) {
      const all = pages.inputs(runId)[Symbol.asyncIterator]()
      const next = () => task('read inputs', () => all.next())
      for (let page = await next(); !page.done; page = await next()) yield page.value
    },
    messages: (threadId) => task('list messages', () => threads.messages(threadId)),
    async index(...values) {
      const threadId = await task('index a run', () => searchIndex.index(...values))
      if (threadId !== undefined) wakes.changed({ threadId })
    },
    unindexed: (...values) => task('list runs', () => searchIndex.unindexed(...values)),
    search: (query) => task('search', () => searchIndex.search(query)),
    pack: (runId) => task('pack a run', () => pages.pack(runId)),
    trouble: () => task('report trouble', health.trouble),
    close() {
      closing ??= Promise.resolve().then(close)
      return closing
    },
  }
}
