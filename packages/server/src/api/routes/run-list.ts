import { type Overview, RUN_STATES, type ThreadPage } from '@millrace/core/api'
import { present } from '@millrace/core/json'
import { z } from 'zod'
import { readQuery } from '../request.ts'
import { json } from '../responses.ts'
import { listRuns, overviewOf } from '../run-list.ts'
import type { Context, Route, Services } from '../services.ts'
import { countShape } from '../shapes.ts'

const amount = z.coerce.number().min(0).max(1e9)
const time = countShape(Number.MAX_SAFE_INTEGER)

const listShape = z.object({
  state: z.enum(RUN_STATES).optional(),
  agent: z.string().max(200).optional(),
  minCost: amount.optional(),
  minSeconds: amount.optional(),
  minErrors: countShape(1_000_000).optional(),
  since: time.optional(),
  after: z.string().max(500).optional(),
  limit: countShape(200).default(60),
})

/** Threads by their last run, newest first. */
async function showRuns(context: Context, services: Services): Promise<Response> {
  const { limit, ...query } = readQuery(context, listShape)
  return json<ThreadPage>(context, await listRuns({ ...present(query), limit: Math.max(1, limit) }, services))
}

async function showOverview(context: Context, services: Services): Promise<Response> {
  const query = readQuery(context, z.object({ since: time, before: time }))
  return json<Overview>(context, await overviewOf(query, services))
}

export const runListRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/runs', policy: 'token', handle: showRuns },
  { method: 'GET', path: '/api/overview', policy: 'token', handle: showOverview },
]
