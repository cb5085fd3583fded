import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { ApiError, refusalOf } from './errors.ts'
import { apiHeaders } from './headers.ts'
import type { Services } from './services.ts'
import { socketRoutes } from './sockets/index.ts'

/** Answers requests for a WebSocket: the same checks as for any other route, before the handshake. */
export function createUpgrades(services: Services) {
  const { guard, shutdown } = services
  const rows = socketRoutes.map((route) => ({
    route,
    paramsOf: matcherOf(route.path),
    server: new WebSocketServer({ noServer: true, maxPayload: route.maxPayload, perMessageDeflate: false }),
  }))

  async function connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const asked = { isApi: true, header: (name: string) => headerOf(request, name) }
    guard.checkOrigin(asked)
    guard.checkToken(asked)
    const url = new URL(request.url ?? '/', 'http://localhost')
    for (const { route, paramsOf, server } of rows) {
      const params = paramsOf(url.pathname)
      if (params === undefined) continue
      const talk = await route.open({ params, query: Object.fromEntries(url.searchParams) }, services)
      if (shutdown.aborted) throw new ApiError(503, 'closing', 'The server is closing.')
      server.handleUpgrade(request, socket, head, (opened) => void talk(opened))
      return
    }
    throw new ApiError(404, 'unknown-route', 'There is no such WebSocket.')
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

/** The parameters of a path, decoded; nothing where it is another. Throws where it cannot be decoded. */
function matcherOf(path: string): (pathname: string) => { readonly [name: string]: string } | undefined {
  const pattern = new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
  return (pathname) => {
    const match = pattern.exec(pathname)
    if (match === null) return undefined
    return Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
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
