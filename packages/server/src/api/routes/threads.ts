import {
  ApiError,
  type ListedThread,
  newThreadId,
  type RunInfo,
  type ThreadDetail,
  type ThreadInfo,
  type ThreadPage,
} from '@millrace/core/api'
import { type ChatEvent, createFold, totalsOf } from '@millrace/core/fold'
import { present } from '@millrace/core/json'
import { z } from 'zod'
import { deleteThreadAndFiles } from '../../files/files.ts'
import { LogError } from '../../log/errors.ts'
import type { Log, StoredRun, StoredThread } from '../../log/log.ts'
import type { Runs } from '../../run/runs.ts'
import { readJson, readQuery } from '../request.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape, idShape, lastRunView, runView, titleShape } from '../shapes.ts'

/** A thread of the log with its last run. */
type ListedRow = StoredThread & Pick<ListedThread, 'lastRun'>

const listShape = z.object({
  search: z.string().max(500).optional(),
  after: z.string().max(500).optional(),
  limit: countShape(200).default(50),
  open: z.literal('true').optional(),
})
const newShape = z.object({ id: idShape.optional(), title: titleShape.optional() })
const pageShape = z.object({ before: idShape.optional(), limit: countShape(200).default(50) })

/** Threads, newest first, a page at a time; with `open=true` all those whose last run has not ended, however old they are. */
async function listThreads(context: Context, services: Services): Promise<Response> {
  const { limit, search, after, open } = readQuery(context, listShape)
  if (open !== undefined) return json<ThreadPage>(context, { threads: await openThreads(services) })
  const page = await services.log.threads({ limit, ...(search && { search }), ...(after && { after }) })
  const threads = await withLastRuns(page.items, services)
  return json<ThreadPage>(context, page.next === undefined ? { threads } : { threads, next: page.next })
}

async function openThreads(services: Services) {
  const { log } = services
  const ids = [...new Set((await log.openRuns()).map(({ threadId }) => threadId))]
  const threads = (await Promise.all(ids.map((id) => log.thread(id)))).filter((thread) => thread !== undefined)
  const listed = await withLastRuns(threads, services)
  return listed
    .filter(({ lastRun }) => lastRun !== undefined && lastRun.state !== 'ended')
    .sort((one, other) => other.updatedAt - one.updatedAt)
}

/** Each thread with how its last run stands: what a list shows, without any thread being folded for it. */
async function withLastRuns(threads: readonly StoredThread[], { log, runs }: Services): Promise<ListedRow[]> {
  const lastRuns = await log.lastRuns(threads.map(({ id }) => id))
  const views = await Promise.all(
    lastRuns.map(async (run) => [run.threadId, lastRunView(run, await isAsking(runs, run))] as const),
  )
  const lastRun = new Map(views)
  return threads.map((thread) => present({ ...thread, lastRun: lastRun.get(thread.id) }))
}

/** A run may be deleted between its listing and the question. */
const isAsking = (runs: Runs, run: StoredRun) =>
  runs.isAsking(run).catch((error: unknown) => {
    if (error instanceof LogError && error.code === 'unknown-run') return false
    throw error
  })

async function createThread(context: Context, { log, limits }: Services): Promise<Response> {
  const { id = newThreadId(), title } = await readJson(context, limits, newShape)
  return json<ThreadInfo>(context, await log.createThread({ id, ...(title !== undefined && { title }) }), 201)
}

/** The newest runs of a thread, folded; `next` asks for the older ones. */
async function showThread(context: Context, services: Services): Promise<Response> {
  const { log } = services
  const thread = await threadOf(context, log)
  const { before, limit } = readQuery(context, pageShape)
  const all = await log.runs(thread.id)
  const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before)
  if (end === -1) throw new ApiError(400, 'bad-request', `There is no run "${before}" in the thread.`)
  const start = Math.max(0, end - Math.max(1, limit))
  const runs: RunInfo[] = []
  const chatEvents: ChatEvent[] = []
  for (const run of all.slice(start, end)) {
    const folded = await foldRun(services, run)
    runs.push(folded.run)
    chatEvents.push(...folded.chatEvents)
  }
  const next = start > 0 ? all[start]?.id : undefined
  return json<ThreadDetail>(context, { ...thread, runs, chatEvents, ...(next !== undefined && { next }) })
}

/** A run as its entries say, so that `seq` is where a viewer of these chat events goes on. */
async function foldRun(
  { log, runs }: Services,
  run: StoredRun,
): Promise<{ run: RunInfo; chatEvents: readonly ChatEvent[] }> {
  const fold = createFold({ runId: run.id })
  let seq = 0
  for await (const entries of log.read(run.id, { after: 0, live: false })) {
    fold.push(entries)
    seq = entries.at(-1)?.seq ?? seq
  }
  const folded = fold.snapshot()
  const { chatEvents, outcome } = folded
  const view: RunInfo =
    outcome === undefined ? runView(run, runs.status(run)) : { ...runView(run, undefined), state: 'ended', outcome }
  return { run: { ...view, ...totalsOf(folded), seq }, chatEvents }
}

async function renameThread(context: Context, { log, limits }: Services): Promise<Response> {
  const { id } = await threadOf(context, log)
  const { title } = await readJson(context, limits, z.object({ title: titleShape }))
  return json<ThreadInfo>(context, (await log.renameThread(id, title)) ?? unknownThread(id))
}

async function deleteThread(context: Context, services: Services): Promise<Response> {
  const { id } = await threadOf(context, services.log)
  await deleteThreadAndFiles(services, id)
  return context.body(null, 204)
}

async function threadOf(context: Context, log: Log): Promise<StoredThread> {
  const id = context.req.param('id') ?? ''
  return (await log.thread(id)) ?? unknownThread(id)
}

function unknownThread(id: string): never {
  throw new ApiError(404, 'unknown-thread', `There is no thread "${id}".`)
}

export const threadRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/threads', policy: 'token', handle: listThreads },
  { method: 'POST', path: '/api/threads', policy: 'token', handle: createThread },
  { method: 'GET', path: '/api/threads/:id', policy: 'token', handle: showThread },
  { method: 'PATCH', path: '/api/threads/:id', policy: 'token', handle: renameThread },
  { method: 'DELETE', path: '/api/threads/:id', policy: 'token', handle: deleteThread },
]
