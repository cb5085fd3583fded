import { ApiError, type FoundTexts } from '@millrace/core/api'
import { type RunDigest, SEARCH_KINDS, type SearchKind, stepAt } from '@millrace/core/fold'
import { present } from '@millrace/core/json'
import { z } from 'zod'
import type { Log } from '../../log/log.ts'
import { readQuery } from '../request.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape, idShape } from '../shapes.ts'
import { type ListedRow, withLastRuns } from '../thread-rows.ts'

const searchShape = z.object({
  text: z.string().max(500),
  /** With commas between them. */
  kinds: z.string().max(200).optional(),
  thread: idShape.optional(),
  after: z.string().max(30).optional(),
  limit: countShape(100).default(30),
})

/** Texts of ended runs: what persons, agents and tools have said. */
async function search(context: Context, services: Services): Promise<Response> {
  const { log } = services
  const { text, kinds, thread, after, limit } = readQuery(context, searchShape)
  const query = present({
    text,
    kinds: kinds === undefined ? undefined : kindsIn(kinds),
    threadId: thread,
    after,
    limit,
  })
  const { hits, ...page } = await log.search(query)
  const [threads, digests] = await Promise.all([
    threadsOf(services, new Set(hits.map(({ threadId }) => threadId))),
    digestsOf(log, new Set(hits.map(({ runId }) => runId))),
  ])
  const titles = new Map(threads.map(({ id, title }) => [id, title]))
  const found = hits.map((hit) => {
    const digest = digests.get(hit.runId)
    const step = digest && stepAt(digest, hit.seq)
    return { ...hit, title: titles.get(hit.threadId) ?? '', ...(step !== undefined && { step }) }
  })
  return json<FoundTexts>(context, { ...page, hits: found, threads })
}

function kindsIn(list: string): readonly SearchKind[] {
  return list.split(',').map((name) => {
    const kind = SEARCH_KINDS.find((each) => each === name)
    if (kind !== undefined) return kind
    throw new ApiError(400, 'bad-request', `There is no kind "${name}". The kinds are ${SEARCH_KINDS.join(', ')}.`)
  })
}

async function threadsOf(services: Services, ids: ReadonlySet<string>): Promise<readonly ListedRow[]> {
  const threads = await Promise.all([...ids].map((id) => services.log.thread(id)))
  return withLastRuns(
    threads.filter((thread) => thread !== undefined),
    services,
  )
}

async function digestsOf(log: Log, runIds: ReadonlySet<string>): Promise<ReadonlyMap<string, RunDigest>> {
  const runs = await Promise.all([...runIds].map((runId) => log.run(runId)))
  return new Map(runs.flatMap((run) => (run?.digest === undefined ? [] : [[run.id, run.digest] as const])))
}

export const searchRoutes: readonly Route[] = [{ method: 'GET', path: '/api/search', policy: 'token', handle: search }]
