import { once } from 'node:events'
import { ApiError } from '@millrace/core/api'
import { WebSocket } from 'ws'
import { showOf } from '../routes/show.ts'
import type { ServeSocket, Services, SocketRequest, SocketRoute } from '../services.ts'

/** Passes on what the child sends of a run. It ends with the child: the viewer comes back with its last `seq`. */
async function watch({ params, query }: SocketRequest, services: Services): Promise<ServeSocket> {
  const address = showOf(services).address()
  if (address === undefined) throw new ApiError(503, 'show-down', 'The server of the show is down.')
  const url = new URL(`${address.url.replace(/^http/, 'ws')}/api/runs/${encodeURIComponent(params.id ?? '')}/ws`)
  url.searchParams.set('wire', 'native')
  url.searchParams.set('after', query.after ?? '0')
  return async (viewer) => {
    const child = new WebSocket(url, { headers: { authorization: `Bearer ${address.token}` } })
    // A run that its program has not begun is refused: the viewer asks again.
    child.on('error', () => viewer.terminate())
    child.on('message', (message) => viewer.send(String(message)))
    child.on('close', (code) => (code === 1000 ? viewer.close(1000) : viewer.terminate()))
    viewer.on('close', () => child.terminate())
    if (viewer.readyState !== viewer.CLOSED) await once(viewer, 'close')
    child.terminate()
  }
}

export const showSockets: readonly SocketRoute[] = [{ path: '/api/show/runs/:id/ws', maxPayload: 1024, open: watch }]
