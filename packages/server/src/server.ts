import { existsSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { bracketed } from './api/guard.ts'
import { checkedBasePath } from './api/request.ts'
import { keptToken, tokenProblem } from './api/token.ts'
import { asksForWebSocket } from './api/upgrades.ts'
import { createHandler, type HandlerOptions } from './handler.ts'

/** The handler's options that a stand-alone server sets itself. */
type DecidedHere = 'app' | 'authorize'

export interface ServerOptions extends Omit<HandlerOptions, DecidedHere> {
  /** Without one, a token is generated once and kept in the data folder. */
  readonly token?: string
  /** Default 127.0.0.1. An address that other machines can reach needs an explicit token of at least 16 characters. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port: number
  /** The built app; served if the folder has one. */
  readonly appFolder?: string
}

export interface Server {
  /** The server's address, with the base path and without the token. */
  readonly url: string
  readonly port: number
  readonly token: string
  /** Takes no new runs from now on, and says so: see `Handler`. */
  drain(): void
  /** Disconnects the viewers, ends the runs of agents cleanly, sends producers away to resume, and stops. */
  close(): Promise<void>
}

/** Serves the API and the app. Rejects if the address is in use, or if others could reach it without a token. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { appFolder, host = '127.0.0.1', port, ...handlerOptions } = options
  const problem = tokenProblem(handlerOptions.token, host)
  if (problem !== undefined) throw new Error(problem)
  const basePath = checkedBasePath(handlerOptions.basePath ?? '')
  const token = handlerOptions.token ?? (await keptToken(handlerOptions.dataFolder))
  // A stream has no time limit; keep-alive detects clients that have disappeared.
  const http = createHttpServer({
    requestTimeout: 0,
    headersTimeout: 60_000,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // Older versions of Node lack the option; there the handler does the same.
    shouldUpgradeCallback: asksForWebSocket,
  })
  // Until the handler is ready each connection is closed at once, so that clients try again as if the port were closed.
  // A response of 503 would end a browser's EventSource permanently.
  http.on('connection', refuse)
  // Only the process that holds the address may touch the runs that an earlier one left open.
  await listen(http, host, port)
  const boundPort = (http.address() as AddressInfo).port
  const app = { folder: builtApp(appFolder), port: boundPort }
  const handler = await createHandler({ ...handlerOptions, host, token, app }).catch((error: unknown) => {
    http.close()
    throw error
  })
  http.off('connection', refuse)
  http.on('request', handler.listener)
  http.on('upgrade', (request, socket, head) => handler.upgrade(request, socket, head) || socket.destroy())

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => http.close(() => resolve()))
    await handler.close()
    http.closeAllConnections()
    await closed
  }

  const url = `http://${bracketed(reachable[host] ?? host)}:${boundPort}${basePath}`
  return { url, port: boundPort, token, drain: handler.drain, close }
}

/** The address on this machine of a server that listens on all addresses. */
const reachable: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function refuse(socket: Socket): void {
  socket.destroy()
}

function listen(http: HttpServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, () => {
      http.off('error', reject)
      resolve()
    })
  })
}

function builtApp(folder: string | undefined): string | undefined {
  return folder !== undefined && existsSync(join(folder, 'index.html')) ? resolve(folder) : undefined
}
