import {
  ApiError,
  newThreadId,
  type RunInfo,
  type ThreadDetail,
  type ThreadHistory,
  type ThreadInfo,
  type ThreadPage,
  type ThreadRows,
} from '@millrace/core/api'
import { type ChatEvent, createFold, totalsOf } from '@millrace/core/fold'
import { z } from 'zod'
import type { Sight } from '../../deliver/shared-looks.ts'
import { sseHeaders } from '../../deliver/sse.ts'
import { streamSight } from '../../deliver/view-stream.ts'
import { deleteThreadAndFiles } from '../../files/files.ts'
import type { Log, StoredRun, StoredThread } from '../../log/log.ts'
import { apiHeaders } from '../headers.ts'
import { loadThread } from '../history.ts'
import { messageRowsOf } from '../message-rows.ts'
import { readJson, readQuery } from '../request.ts'
import { headOfStream, json, respondWith } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { allThatIsOver, positionIn } from '../sessions/follower.ts'
import { runsIn } from '../sessions/state.ts'
import { countShape, idShape, runView, titleShape, wireShape } from '../shapes.ts'
import { openThreads, withLastRuns } from '../thread-rows.ts'
import { streamThreadRuns } from '../thread-runs-stream.ts'
import { listSight, threadSight } from '../thread-sights.ts'
import { checkProfile, profileOf } from './streams.ts'

const listShape = z.object({
  search: z.string().max(500).optional(),
  after: z.string().max(500).optional(),
  limit: countShape(200).default(50),
  open: z.literal('true').optional(),
})
const newShape = z.object({ id: idShape.optional(), title: titleShape.optional() })
const pageShape = z.object({ before: idShape.optional(), limit: countShape(200).default(50) })
const rowsShape = pageShape.extend({ rows: z.literal('1') })
const historyShape = pageShape.extend({
  wire: z.string().max(100),
  profile: z.string().max(100).optional(),
  live: z.literal('1').optional(),
})

/** Threads, newest first, a page at a time; with `open=true` all those whose last run has not ended, however old they are. */
async function listThreads(context: Context, services: Services): Promise<Response> {
  if (wantsEvents(context)) return streamThreads(context, services)
  const { limit, search, after, open } = readQuery(context, listShape)
  if (open !== undefined) return json<ThreadPage>(context, { threads: await openThreads(services) })
  const page = await services.log.threads({ limit, ...(search && { search }), ...(after && { after }) })
  const threads = await withLastRuns(page.items, services)
  return json<ThreadPage>(context, page.next === undefined ? { threads } : { threads, next: page.next })
}

/** The same list as a stream: its first page, then what changes. A part of it, or a search, is not streamed. */
function streamThreads(context: Context, services: Services): Response | Promise<Response> {
  const { limit, search, after, open } = readQuery(context, listShape)
  if (search !== undefined || after !== undefined || open !== undefined) {
    throw new ApiError(
      400,
      'not-streamed',
      'Only the list from its beginning is streamed: leave search, after and open out.',
    )
  }
  return streamOf(context, services, listSight(services, limit))
}

/** The thread with its runs, then what changes; with `wire`, the chunks of its runs. */
async function streamThread(context: Context, services: Services): Promise<Response> {
  const { id } = await threadOf(context, services.log)
  if (context.req.query('wire') !== undefined) return streamRuns(context, services, id)
  return streamOf(context, services, threadSight(services, id))
}

/** What the runs of a thread say on a wire: behind a position, or from the first chunk of the live run; then every later run. */
async function streamRuns(context: Context, services: Services, threadId: string): Promise<Response> {
  const { wire, after } = readQuery(context, wireShape)
  const profile = profileOf(context, wire)
  if (context.req.method === 'HEAD') return headOfStream(context, wire)
  const runs = await runsIn(services.log, threadId)
  const text = context.req.header('last-event-id') || after
  const position = text === undefined ? allThatIsOver(runs) : positionIn(runs, text)
  const choice = { wire, ...(profile !== undefined && { profile }), ...(position !== undefined && { after: position }) }
  return respondWith(context, services, (sink) => streamThreadRuns({ services, threadId, ...choice, sink }))
}

function streamOf<View extends object>(context: Context, services: Services, sight: Sight<View>) {
  const { looks, timing } = services
  if (context.req.method === 'HEAD') return context.body(null, 200, sseHeaders)
  return respondWith(context, services, (sink) => streamSight({ looks, sight, sink, timing, headers: apiHeaders }))
}

/** Whether the client asks for server-sent events, as an `EventSource` does. One that takes JSON as well gets JSON. */
function wantsEvents({ req }: Context): boolean {
  const types = (req.header('accept') ?? '').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  return types.includes('text/event-stream') && !types.includes('application/json')
}

async function createThread(context: Context, { log, limits }: Services): Promise<Response> {
  const { id = newThreadId(), title } = await readJson(context, limits, newShape)
  return json<ThreadInfo>(context, await log.createThread({ id, ...(title !== undefined && { title }) }), 201)
}

/** The newest runs of the current branch, as messages of a wire's client; `next` asks for the older ones. */
async function showHistory(context: Context, { log }: Services): Promise<Response> {
  const thread = await threadOf(context, log)
  const { wire, profile, live, before, limit } = readQuery(context, historyShape)
  checkProfile(wire, profile)
  const page = { limit, hasLive: live !== undefined, ...(before !== undefined && { before }) }
  const choice = { wire, ...(profile !== undefined && { profile }) }
  const { runs, messages, next } = await loadThread(log, thread.id, choice, page)
  const detail = { ...thread, runs: runs.map(runView), wire, messages, ...(next !== undefined && { next }) }
  return json<ThreadHistory>(context, detail)
}

/** The newest messages of the current branch as rows of a table. */
async function showRows(context: Context, { log }: Services): Promise<Response> {
  const thread = await threadOf(context, log)
  const { before, limit } = readQuery(context, rowsShape)
  const page = { limit, ...(before !== undefined && { before }) }
  return json<ThreadRows>(context, { ...thread, ...(await messageRowsOf(log, thread.id, page)) })
}

/** The newest runs of a thread, folded; `next` asks for the older ones. */
async function showThread(context: Context, services: Services): Promise<Response> {
  if (context.req.query('wire') !== undefined) return showHistory(context, services)
  if (context.req.query('rows') !== undefined) return showRows(context, services)
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
    // What a subagent does is seen in the run that began it.
    if (run.parentRunId === undefined) chatEvents.push(...folded.chatEvents)
  }
  const next = start > 0 ? all[start]?.id : undefined
  return json<ThreadDetail>(context, { ...thread, runs, chatEvents, ...(next !== undefined && { next }) })
}

/** A run as its entries say, so that `seq` is where a viewer of these chat events goes on. */
async function foldRun({ log }: Services, run: StoredRun): Promise<{ run: RunInfo; chatEvents: readonly ChatEvent[] }> {
  const fold = createFold({ runId: run.id })
  let seq = 0
  for await (const entries of log.read(run.id, { after: 0, live: false })) {
    fold.push(entries)
    seq = entries.at(-1)?.seq ?? seq
  }
  const folded = fold.snapshot()
  const { chatEvents, outcome } = folded
  const view: RunInfo = outcome === undefined ? runView(run) : { ...runView({ ...run, state: 'ended' }), outcome }
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
  { method: 'GET', path: '/api/threads/:id/stream', policy: 'token', handle: streamThread },
  { method: 'PATCH', path: '/api/threads/:id', policy: 'token', handle: renameThread },
  { method: 'DELETE', path: '/api/threads/:id', policy: 'token', handle: deleteThread },
]
