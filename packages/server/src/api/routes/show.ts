import { ApiError, type FormatsShow } from '@millrace/core/api'
import { z } from 'zod'
import type { Show } from '../../show/show.ts'
import { checked, readJson } from '../request.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'

const speedShape = z.object({ speed: z.number().min(0).max(100) })

export function showOf({ show }: Services): Show {
  if (show === undefined) throw new ApiError(404, 'no-show', 'This server has no show of formats: it serves no app.')
  return show
}

function begunShow(services: Services): Show {
  const show = showOf(services)
  if (show.state() === undefined) throw new ApiError(409, 'not-begun', 'The show has not begun, or is over.')
  return show
}

const answer = (act: (show: Show) => Promise<FormatsShow>) => async (context: Context, services: Services) =>
  json(context, await act(begunShow(services)))

async function setSpeed(context: Context, services: Services): Promise<Response> {
  const { speed } = await readJson(context, services.limits, speedShape)
  return json(context, begunShow(services).setSpeed(speed))
}

/** What the child says of a run. Refused while the child is down. */
async function verify(context: Context, services: Services): Promise<Response> {
  const show = begunShow(services)
  const runId = checked(context.req.param('id'), z.string())
  try {
    const found = await show.ask(`/api/runs/${encodeURIComponent(runId)}/verify`)
    return json(context, (await found.json()) as object)
  } catch (cause) {
    throw new ApiError(503, 'show-down', 'The server of the show does not answer.', { cause })
  }
}

export const showRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/show',
    policy: 'token',
    handle: async (context, services) => json(context, await showOf(services).begin()),
  },
  { method: 'GET', path: '/api/show', policy: 'token', handle: answer(async (show) => show.state() as FormatsShow) },
  {
    method: 'DELETE',
    path: '/api/show',
    policy: 'token',
    handle: async (context, services) =>
      showOf(services)
        .end()
        .then(() => context.body(null, 204)),
  },
  { method: 'POST', path: '/api/show/kill', policy: 'token', handle: answer((show) => show.kill()) },
  { method: 'POST', path: '/api/show/restart', policy: 'token', handle: answer((show) => show.restart()) },
  { method: 'POST', path: '/api/show/speed', policy: 'token', handle: setSpeed },
  { method: 'GET', path: '/api/show/runs/:id/verify', policy: 'token', handle: verify },
]
