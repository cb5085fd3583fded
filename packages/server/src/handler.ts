import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { ApiError } from '@millrace/core/api/api-error'
import { createApp } from './api/app.ts'
import { refusalOf } from './api/errors.ts'
import { createFiles } from './api/files/files.ts'
import { removeUnusedFiles } from './api/files/unused-files.ts'
import { type Access, type Authorize, createGuard } from './api/guard.ts'
import { apiHeaders } from './api/headers.ts'
import { checkedBasePath, restoreAddress } from './api/mount.ts'
import type { Services } from './api/services.ts'
import { createStaticFiles } from './api/static-files.ts'
import { keptToken, tokenProblem } from './api/token.ts'
import { createUpgrades } from './api/upgrades.ts'
import { createFanOut } from './deliver/fan-out.ts'
import { defaultTiming, type Timing } from './deliver/timing.ts'
import type { Log } from './log/log.ts'
import type { Agent } from './run/agent.ts'
import { createRuns } from './run/create-runs.ts'
import type { RunsOptions } from './run/runs.ts'

export interface HandlerOptions extends Pick<RunsOptions, 'resumeWithin' | 'stopWithin'> {
  /** Stays open when the handler closes: it is its owner's. */
  readonly log: Log
  readonly agents: readonly Agent[]
  /** Where files, and a generated token, are kept. */
  readonly dataFolder: string
  /** What clients must show. Without one, and without `authorize`, it is generated once and kept in the data folder. */
  readonly token?: string | undefined
  /** The host's own sessions, instead of a token. */
  readonly authorize?: Authorize
  /** The address that the host listens on, where it is another than the machine's own. */
  readonly host?: string
  /** Names that the host may be called by, such as `chat.example.com`. The machine's own need not be named. */
  readonly hosts?: readonly string[]
  /** Origins of other pages that may ask, such as `https://example.com`. What CORS wants sent is the host's to send. */
  readonly origins?: readonly string[]
  /** Where the host has mounted it, such as `/agents`: the API is below. Default: the root. */
  readonly basePath?: string
  /** Serves the app, too: at the root alone, by a token alone, with a cookie named after the host's port. */
  readonly app?: { readonly folder: string | undefined; readonly port: number }
  readonly timing?: Timing
  /** Told of errors that no client is told of; default: stderr. */
  readonly report?: (error: unknown) => void
}

/** Answers for one log within somebody else's server. Each of its functions may be handed on by itself. */
export interface Handler {
  /** What clients must show; nothing where the host authorizes. */
  readonly token: string | undefined
  /** For hosts that speak the web's words. */
  readonly fetch: (request: Request) => Promise<Response>
  /** For hosts on Node; bytes go straight to its response. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /**
   * For the `upgrade` event of a server on Node. Returns false, and leaves the socket untouched, if the path is not below
   * ours. A request for another protocol than WebSocket goes back to the server that the socket came from, as a plain one.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
  /** Cuts the viewers and lets the runs end in good order. What asks after that gets 503. */
  readonly close: () => Promise<void>
}

/** Resolves when what an earlier process left open is settled. At most one handler may have a log at a time. */
export async function createHandler(options: HandlerOptions): Promise<Handler> {
  const { log, dataFolder, app: page, timing = defaultTiming, report = console.error } = options
  const { host, hosts = [], origins = [] } = options
  const basePath = checkedBasePath(options.basePath ?? '')
  checkPage(options, basePath)
  const access = await accessOf(options)
  const runs = createRuns(options)
  await runs.recover()
  const files = createFiles(dataFolder)
  // A process that died between a deletion and this has left some.
  await removeUnusedFiles(log, files).catch(report)
  const shutdown = new AbortController()
  const services: Services = {
    log,
    fanOut: createFanOut(log),
    runs,
    files,
    guard: createGuard({ ...access, hosts, origins, ...(host && { host }), ...(page && { port: page.port }) }),
    timing,
    shutdown: shutdown.signal,
    report,
  }
  const app = createApp(services, page && createStaticFiles(page.folder), basePath)
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: unreadableResponse })
  return {
    token: 'token' in access ? access.token : undefined,
    // A host may hand over more than the request, such as bindings that are its own.
    fetch: async (request) => app.fetch(request),
    listener(request, response) {
      restoreAddress(request)
      return answer(request, response).catch((error: unknown) => {
        report(error)
        response.destroy()
      })
    },
    upgrade: createUpgrades(services, basePath),
    close() {
      shutdown.abort()
      return runs.close()
    },
  }
}

/** One way in: two would be one that somebody forgets to close. */
async function accessOf({ token, authorize, dataFolder, host = 'localhost' }: HandlerOptions): Promise<Access> {
  const problem = token === undefined ? undefined : tokenProblem(token, host)
  if (problem !== undefined) throw new Error(problem)
  if (authorize === undefined) return { token: token ?? (await keptToken(dataFolder)) }
  if (token !== undefined) throw new Error('Either a token or the host decides who may ask, not both.')
  return { authorize }
}

/** The page asks for its own files, and for the API, from the root, and signs in with a token. */
function checkPage({ app, authorize }: HandlerOptions, basePath: string): void {
  if (app === undefined || (basePath === '' && authorize === undefined)) return
  throw new Error(
    'The app is served at the root, by a token: not below a base path, and not by the host’s authorization.',
  )
}

/** For what is no request at all, such as one without a host: the app never sees it. */
function unreadableResponse(cause: unknown): Response {
  const { status, body } = refusalOf(new ApiError(400, 'bad-request', 'The request cannot be read.', { cause }))
  return Response.json(body, { status, headers: apiHeaders })
}
