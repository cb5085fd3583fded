import type { Health, Readiness } from '@millrace/core/api'
import { METRICS_TYPE } from '../metrics.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'

/** 503 while the log cannot write, so that a monitor notices. */
async function health(context: Context, { log }: Services): Promise<Response> {
  const trouble = await log.trouble()
  if (trouble === undefined) return json<Health>(context, { status: 'ok' })
  return json<Health>(context, { status: 'failing', reason: trouble.message }, 503)
}

/** 503 while no new runs should come here: during the drain, and while the log cannot write. */
async function readiness(context: Context, { log, draining }: Services): Promise<Response> {
  if (draining.aborted) return json<Readiness>(context, { status: 'draining' }, 503)
  const trouble = await log.trouble()
  if (trouble === undefined) return json<Readiness>(context, { status: 'ready' })
  return json<Readiness>(context, { status: 'failing', reason: trouble.message }, 503)
}

export const healthRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/health', policy: 'open', handle: health },
  { method: 'GET', path: '/api/ready', policy: 'open', handle: readiness },
  {
    method: 'GET',
    path: '/metrics',
    policy: 'token',
    handle: (context, { metrics }) => context.body(metrics(), 200, { 'content-type': METRICS_TYPE }),
  },
]
