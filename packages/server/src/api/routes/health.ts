import type { AgentList, Health } from '@millrace/core/api'
import { present } from '@millrace/core/json'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'

/** 503 while the log cannot write, so that a monitor notices. */
async function health(context: Context, { log }: Services): Promise<Response> {
  const trouble = await log.trouble()
  if (trouble === undefined) return json<Health>(context, { status: 'ok' })
  return json<Health>(context, { status: 'failing', reason: trouble.message }, 503)
}

export const healthRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/health', policy: 'open', handle: health },
  {
    method: 'GET',
    path: '/api/agents',
    policy: 'token',
    handle: (context, { runs }) =>
      json<AgentList>(context, {
        agents: runs
          .agents()
          .map(({ name, title, description, format }) => present({ name, title, description, format })),
      }),
  },
]
