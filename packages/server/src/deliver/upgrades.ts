import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { ApiError, refusalOf } from './errors.ts'
import { apiHeaders } from './headers.ts'
import { wantedOf } from './routes/streams.ts'
import type { Services } from './services.ts'
import { streamRunToSocket } from './websocket.ts'

/** A viewer has nothing to say: what it sends is not listened to, and may not be large. */
const MAX_PAYLOAD = 1024

/** Answers requests for a WebSocket: the same checks as for any other route, before the handshake. */
export function createUpgrades(services: Services) {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD, perMessageDeflate: false })
  const { log, fanOut, guard, timing, shutdown } = services

  async function connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const asked = { isApi: true, header: (name: string) => headerOf(request, name) }
    guard.checkOrigin(asked)
    guard.checkToken(asked)
    const url = new URL(request.url ?? '/', 'http://localhost')
    const runId = /^\/api\/runs\/([^/]+)\/ws$/.exec(url.pathname)?.[1]
    if (runId === undefined) throw new ApiError(404, 'unknown-route', 'There is no such WebSocket.')
    const run = await log.run(decodeURIComponent(runId))
    if (run === undefined) throw new ApiError(404, 'unknown-run', 'There is no such run.')
    const wanted = wantedOf(Object.fromEntries(url.searchParams), undefined)
    if (shutdown.aborted) throw new ApiError(503, 'closing', 'The server is closing.')
    server.handleUpgrade(request, socket, head, (opened) => {
      const { id, threadId } = run
      void streamRunToSocket({ fanOut, runId: id, threadId, ...wanted, socket: opened, timing, shutdown })
    })
  }

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node no longer listens to a socket that it has handed over.
    const ignore = () => socket.destroy()
    socket.on('error', ignore)
    connect(request, socket, head).then(
      () => socket.off('error', ignore),
      (error: unknown) => refuse(socket, error),
    )
  }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function refuse(socket: Duplex, error: unknown): void {
  const { status, body } = error instanceof URIError ? badPath : refusalOf(error)
  const text = JSON.stringify(body)
  const headers = {
    ...apiHeaders,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n'))
}

const badPath = refusalOf(new ApiError(400, 'bad-request', 'The path cannot be read.'))
