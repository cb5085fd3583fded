import { ApiError, type FoundTexts } from '@millrace/core/api'
import { SEARCH_KINDS, type SearchKind } from '@millrace/core/fold'
import { present } from '@millrace/core/json'
import { z } from 'zod'
import type { Log } from '../../log/log.ts'
import { readQuery } from '../request.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape, idShape } from '../shapes.ts'

const searchShape = z.object({
  text: z.string().max(500),
  /** With commas between them. */
  kinds: z.string().max(200).optional(),
  thread: idShape.optional(),
  after: z.string().max(30).optional(),
  limit: countShape(100).default(30),
})

/** Texts of ended runs: what persons, agents and tools have said. */
async function search(context: Context, { log }: Services): Promise<Response> {
  const { text, kinds, thread, after, limit } = readQuery(context, searchShape)
  const query = present({
    text,
    kinds: kinds === undefined ? undefined : kindsIn(kinds),
    threadId: thread,
    after,
    limit,
  })
  const { hits, ...page } = await log.search(query)
  const titles = await titlesOf(log, new Set(hits.map(({ threadId }) => threadId)))
  const found = hits.map((hit) => ({ ...hit, title: titles.get(hit.threadId) ?? '' }))
  return json<FoundTexts>(context, { ...page, hits: found })
}

function kindsIn(list: string): readonly SearchKind[] {
  return list.split(',').map((name) => {
    const kind = SEARCH_KINDS.find((each) => each === name)
    if (kind !== undefined) return kind
    throw new ApiError(400, 'bad-request', `There is no kind "${name}". The kinds are ${SEARCH_KINDS.join(', ')}.`)
  })
}

async function titlesOf(log: Log, threadIds: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const threads = await Promise.all([...threadIds].map((threadId) => log.thread(threadId)))
  return new Map(threads.flatMap((thread) => (thread === undefined ? [] : [[thread.id, thread.title] as const])))
}

export const searchRoutes: readonly Route[] = [{ method: 'GET', path: '/api/search', policy: 'token', handle: search }]
