import { existsSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createApp } from './deliver/app.ts'
import { ApiError, refusalOf } from './deliver/errors.ts'
import { createFanOut } from './deliver/fan-out.ts'
import { createFiles } from './deliver/files.ts'
import { bracketed, createGuard, isLoopback } from './deliver/guard.ts'
import { apiHeaders } from './deliver/headers.ts'
import type { Services } from './deliver/services.ts'
import { createStaticFiles } from './deliver/static-files.ts'
import { defaultTiming, type Timing } from './deliver/timing.ts'
import { keptToken } from './deliver/token.ts'
import { createUpgrades } from './deliver/upgrades.ts'
import type { Log } from './log/log.ts'
import type { Agent } from './run/agent.ts'
import { createRuns } from './run/create-runs.ts'
import type { RunsOptions } from './run/runs.ts'

export interface ServerOptions extends Pick<RunsOptions, 'resumeWithin' | 'stopWithin'> {
  /** Stays open when the server closes: it is its owner's. */
  readonly log: Log
  readonly agents: readonly Agent[]
  /** Where files, and a generated token, are kept. */
  readonly dataFolder: string
  /** Without one, a token is generated once and kept in the data folder. */
  readonly token?: string
  /** Default 127.0.0.1. Another address than the machine's own needs a token that somebody has chosen. */
  readonly host?: string
  /** 0 takes any that is free. */
  readonly port: number
  /** Other names that the server may be called by, such as a proxy's. */
  readonly hosts?: readonly string[]
  /** The built app; served if it is there. */
  readonly appFolder?: string
  readonly timing?: Timing
  /** Told of errors that no client is told of; default: stderr. */
  readonly report?: (error: unknown) => void
}

export interface Server {
  /** Where it answers, without the token. */
  readonly url: string
  readonly port: number
  readonly token: string
  /** Cuts the viewers, lets the runs end in good order and stops. */
  close(): Promise<void>
}

/** Whether others can reach the address: a token must have been chosen then. */
export const needsToken = (host: string): boolean => !isLoopback(host)

/** Serves the API and the app. Rejects where the address is taken, or would be open to others without a token. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { log, dataFolder, host = '127.0.0.1', port, timing = defaultTiming, report = console.error } = options
  if (options.token === undefined && needsToken(host)) {
    throw new Error(`Others can reach ${host}: the server starts there only with a token that you choose.`)
  }
  if (options.token === '') throw new Error('An empty token is none.')
  const token = options.token ?? (await keptToken(dataFolder))
  // A stream has no time limit, but whoever is gone without a word is found out.
  const http = createHttpServer({
    requestTimeout: 0,
    headersTimeout: 60_000,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  })
  const serving = Promise.withResolvers<Serving>()
  http.on('request', (request, response) => void serving.promise.then(({ answer }) => answer(request, response)))
  http.on('upgrade', (...upgrade) => void serving.promise.then(({ connect }) => connect(...upgrade)))
  // Who has the address is the server; only then may it touch what an earlier one left open.
  await listen(http, host, port)
  const bound = (http.address() as AddressInfo).port
  const runs = createRuns(options)
  await runs.recover().catch((error: unknown) => {
    http.close()
    throw error
  })
  const shutdown = new AbortController()
  const guard = createGuard({ token, host, port: bound, ...(options.hosts && { hosts: options.hosts }) })
  const files = createFiles(dataFolder)
  const services: Services = {
    log,
    fanOut: createFanOut(log),
    runs,
    files,
    guard,
    timing,
    shutdown: shutdown.signal,
    report,
  }
  serving.resolve(serve(services, options.appFolder))

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => http.close(() => resolve()))
    shutdown.abort()
    await runs.close()
    http.closeAllConnections()
    await closed
  }

  return { url: `http://${bracketed(reachable[host] ?? host)}:${bound}`, port: bound, token, close }
}

/** Where this machine finds a server that listens on all of its addresses. */
const reachable: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' }

interface Serving {
  readonly answer: ReturnType<typeof getRequestListener>
  readonly connect: ReturnType<typeof createUpgrades>
}

function serve(services: Services, appFolder: string | undefined): Serving {
  const app = createApp(services, createStaticFiles(builtApp(appFolder)))
  return {
    answer: getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: unreadable }),
    connect: createUpgrades(services),
  }
}

/** For what is no request at all, such as one without a host: the app never sees it. */
function unreadable(cause: unknown): Response {
  const { status, body } = refusalOf(new ApiError(400, 'bad-request', 'The request cannot be read.', { cause }))
  return Response.json(body, { status, headers: apiHeaders })
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
