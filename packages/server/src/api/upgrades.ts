import { EventEmitter } from 'node:events'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '@millrace/core/api'
import { type WebSocket, WebSocketServer } from 'ws'
import { bodyFor, type Refusal, refusalOf } from './errors.ts'
import type { GuardedRequest } from './guard.ts'
import { apiHeaders, remedies } from './headers.ts'
import { pathBelow } from './request.ts'
import { factsOf, type OpenRequest, sentOn } from './request-watch.ts'
import type { ServeSocket, Services } from './services.ts'
import { ticketIn } from './sessions/tickets.ts'
import { socketRoutes } from './sockets/index.ts'

/**
 * Answers requests for a WebSocket: the same checks as for any other route, before the handshake. A request for another
 * protocol goes back to its server as a plain request. Returns false, and touches nothing, if the path is not below the base
 * path: that socket belongs to the host.
 */
export function createUpgrades(services: Services, basePath = '') {
  const { guard, tickets, shutdown, report, requests } = services
  const rows = socketRoutes.map((route) => ({
    route,
    paramsOf: matcherOf(route.path),
    server: new WebSocketServer({ ...settings, maxPayload: route.maxPayload }),
  }))

  async function connect(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    url: URL,
    path: string,
    watched: OpenRequest,
  ): Promise<void> {
    const sent = sentOn(request)
    const asked = guardedRequestOf(request, url)
    guard.checkOrigin(asked)
    const ticket = ticketIn(request, url)
    const sessionId = ticket === undefined ? undefined : tickets.redeem(ticket)
    if (sessionId === undefined) await checkAccess(asked, ticket)
    for (const { route, paramsOf, server } of rows) {
      const params = paramsOf(path)
      if (params === undefined) continue
      if (sessionId !== undefined && !(route.isSession && params.id === sessionId)) await checkAccess(asked, ticket)
      watched.note(factsOf(route.path, params.id))
      const serveSocket = await route.open({ params, query: Object.fromEntries(url.searchParams) }, services)
      if (shutdown.aborted) throw new ApiError(503, 'closing', 'The server is closing.')
      // The handshake itself may be refused: then nothing is opened.
      let status = 400
      socket.once('close', () => watched.end(status, sent()))
      server.handleUpgrade(request, socket, head, (opened) => {
        status = 101
        watched.note({ isStream: true })
        serve(opened, serveSocket)
      })
      return
    }
    throw new ApiError(404, 'unknown-route', 'There is no such WebSocket.')
  }

  /** A client that has shown a ticket is told about the ticket, unless it may pass without one. */
  async function checkAccess(asked: GuardedRequest, ticket: string | undefined): Promise<void> {
    await guard.checkAccess(asked).catch((error: unknown) => {
      const isRefused = ticket !== undefined && error instanceof ApiError && error.status === 401
      throw isRefused ? new ApiError(401, 'unauthorized', SPENT) : error
    })
  }

  function serve(opened: WebSocket, serveSocket: ServeSocket): void {
    opened.on('error', () => opened.terminate())
    serveSocket(opened).catch((error: unknown) => {
      report(error)
      opened.terminate()
    })
  }

  return (request: IncomingMessage, socket: Duplex, head: Buffer): boolean => {
    const url = urlOf(request)
    const path = url && pathBelow(basePath, url.pathname)
    if (url === undefined || path === undefined) return false
    if (!asksForWebSocket(request) && readWithoutUpgrade(request, socket, head)) return true
    // Node does not listen to a socket that it has handed over, and a client may reset it at any time.
    socket.on('error', () => socket.destroy())
    const watched = requests.begin(request.method ?? '', url.pathname)
    connect(request, socket, head, url, path, watched).catch((error: unknown) => {
      const refusal = error instanceof URIError ? badPath : refusalOf(error)
      const { status } = refusal
      if (status === 500) report(error)
      refuse(socket, status, bodyFor(path, refusal))
      watched.end(status)
    })
    return true
  }
}

/** The sink answers pings, because it knows whether there is room for an answer. */
const settings = { noServer: true, perMessageDeflate: false, autoPong: false } as const

const SPENT = 'The ticket was used before, is older than a minute, or is for another session.'

/** Undefined if the address is not valid. */
function urlOf({ url = '/', headers, socket }: IncomingMessage): URL | undefined {
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  return URL.parse(url.startsWith('/') ? `${scheme}://${headers.host}${url}` : url) ?? undefined
}

/** The decoded parameters of a path; undefined if the path does not match. Throws if it cannot be decoded. */
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

/** A connected client may send messages that change something, so the request is not safe. */
function guardedRequestOf(incoming: IncomingMessage, url: URL): GuardedRequest {
  const header = (name: string) => {
    const value = incoming.headers[name]
    return Array.isArray(value) ? value[0] : value
  }
  const request = () => new Request(url, { headers: headersOf(incoming) })
  return { isApi: true, isSafe: false, header, request, incoming }
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value) => [name, value]))
  return new Headers(pairs as [string, string][])
}

function refuse(socket: Duplex, status: number, body: Refusal['body']): void {
  const text = JSON.stringify(body)
  const headers = {
    ...apiHeaders,
    ...remedies[status],
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n'))
}

const badPath = refusalOf(new ApiError(400, 'bad-request', 'The path cannot be read.'))

/**
 * Whether the request asks for a WebSocket. Every other upgrade, such as the `h2c` of curl and of Java's client, is an
 * offer that a server may ignore.
 */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Returns a connection to the server that it came from, which reads the request again, without its upgrade. Returns
 * false, and touches nothing, if the connection belongs to no server.
 */
function readWithoutUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
  const { server } = socket as { readonly server?: unknown }
  if (!(server instanceof EventEmitter)) return false
  socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
  return true
}

/** Node decodes the head of a request as latin1, so the same encoding gives the same bytes. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!UPGRADE.has(name.toLowerCase())) lines.push(`${name}: ${value}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

const UPGRADE: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])
