import { ApiError } from '@millrace/core/api'
import { streamRunToSocket } from '../../deliver/websocket.ts'
import { streamRequestOf, watchedStatus } from '../routes/streams.ts'
import type { ServeSocket, Services, SocketRequest, SocketRoute } from '../services.ts'

/** A run's chunks for one viewer, which sends nothing. */
async function watch({ params, query }: SocketRequest, services: Services): Promise<ServeSocket> {
  const { log, runs, fanOut, timing, shutdown } = services
  const run = await log.run(params.id ?? '')
  if (run === undefined) throw new ApiError(404, 'unknown-run', 'There is no such run.')
  const wanted = streamRequestOf(query, undefined)
  const { id: runId, threadId } = run
  const watched = { runId, threadId, ...wanted, ...watchedStatus(runs, run, wanted.wire) }
  return (socket) => streamRunToSocket({ fanOut, ...watched, socket, timing, shutdown })
}

export const runSockets: readonly SocketRoute[] = [{ path: '/api/runs/:id/ws', maxPayload: 1024, open: watch }]
