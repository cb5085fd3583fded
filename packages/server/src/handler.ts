import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { ApiError } from '@millrace/core/api'
import { hostNameProblem, originProblem } from './api/addresses.ts'
import { createApp } from './api/app.ts'
import { createCors, setOnNode, setOnWeb } from './api/cors.ts'
import { refusalOf } from './api/errors.ts'
import { type Access, type Authorize, createGuard } from './api/guard.ts'
import { apiHeaders } from './api/headers.ts'
import { createLeaving } from './api/leaving.ts'
import { createNodeMetrics } from './api/node-metrics.ts'
import { checkedBasePath, restoreAddress } from './api/request.ts'
import { createRequestWatch, lineOf, type RequestLine } from './api/request-watch.ts'
import type { Limits, Services } from './api/services.ts'
import { checkedSessions, type SessionSettings } from './api/sessions/state.ts'
import { createTickets } from './api/sessions/tickets.ts'
import { createStarts } from './api/starts.ts'
import { createStaticFiles } from './api/static-files.ts'
import { keptToken, tokenProblem } from './api/token.ts'
import { createUpgrades } from './api/upgrades.ts'
import { createFanOut } from './deliver/fan-out.ts'
import { defaultTiming, type Timing } from './deliver/pacer.ts'
import { createSharedLooks } from './deliver/shared-looks.ts'
import { createFiles, type Files, removeUnusedFiles, wholeFile } from './files/files.ts'
import { countedLog } from './log/counted-log.ts'
import type { Log } from './log/log.ts'
import type { Agents } from './run/agent.ts'
import { createRuns } from './run/create-runs.ts'
import type { RunsOptions } from './run/runs.ts'
import { createShow } from './show/show.ts'

export interface HandlerOptions extends Pick<RunsOptions, 'resumeWithin' | 'stopWithin'> {
  /** Stays open when the handler closes: the caller closes it. */
  readonly log: Log
  readonly agents: Agents
  /** Where files, and a generated token, are kept. */
  readonly dataFolder: string
  /** Another place for files, such as the database of a shared log. Stays open when the handler closes. */
  readonly files?: Files
  /** Clients must send it. Without `token` and `authorize`, one is generated once and kept in the data folder. */
  readonly token?: string | undefined
  /** The host's own sessions, instead of a token. */
  readonly authorize?: Authorize
  /** The address that the host listens on; default: localhost. */
  readonly host?: string
  /** Host names that requests may use, such as `chat.example.com`. The machine's own names are always allowed. */
  readonly hosts?: readonly string[]
  /**
   * Origins of other pages that may send requests, such as `https://example.com`. They get the CORS headers that their
   * browsers need; with `authorize`, also the one that lets cookies pass.
   */
  readonly origins?: readonly string[]
  /** Where the host has mounted the handler, such as `/agents`: everything is below it. Default: the root. */
  readonly basePath?: string
  /** Serves the app too, below the base path: only with a token, with a cookie named after the host's port. */
  readonly app?: { readonly folder: string | undefined; readonly port: number }
  /**
   * How long a start waits for the runs that an earlier process left open, in ms; default: 300. The rest is settled while
   * requests are answered, as it always is if several processes share the log.
   */
  readonly recoverWithin?: number
  /**
   * How long a conversation whose requests say `?leaving=stops` may have no viewer before its run is stopped, in ms; default
   * 10,000.
   */
  readonly leaveWithin?: number
  /** For clients of `/api/v2/sessions` that cannot say it themselves. */
  readonly sessions?: SessionSettings
  readonly timing?: Partial<Timing>
  readonly limits?: Partial<Limits>
  /** Called at the end of each request, of a stream when it ends. It gets no query and no content. */
  readonly onRequest?: (line: RequestLine) => void
  /** Called with errors that no client gets; default: stderr. */
  readonly report?: (error: unknown) => void
}

/** Handles the requests for one log within a host's server. Each function may be passed on by itself. */
export interface Handler {
  /** Clients must send it; undefined if the host authorizes requests. */
  readonly token: string | undefined
  /** For hosts with web-standard `Request` and `Response`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** For hosts on Node; bytes are written directly to the response. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /**
   * For the `upgrade` event of a server on Node. Returns false, and leaves the socket untouched, if the path is not
   * below `basePath`. A request for a protocol other than WebSocket goes back to the socket's server, as a plain
   * request.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
  /**
   * Call it some time before `close`, so that load balancers notice: from now on `/api/ready` answers 503, new runs are
   * refused with 503 `draining`, and responses on Node close their connection. Everything about existing runs goes on.
   */
  readonly drain: () => void
  /**
   * Disconnects the viewers, ends the runs of agents cleanly, and sends producers away to resume elsewhere. Resolves when
   * they have their answers. Later requests get 503.
   */
  readonly close: () => Promise<void>
}

const RECOVER_WITHIN = 300

/** Resolves when requests can be answered. Several handlers of one process may use one log. */
export async function createHandler(options: HandlerOptions): Promise<Handler> {
  const { dataFolder, app: page, timing, report = console.error, onRequest = () => {} } = options
  const { recoverWithin = RECOVER_WITHIN } = options
  const { host, hosts = [], origins = [] } = options
  const basePath = checkedBasePath(options.basePath ?? '')
  checkAddresses('hosts', hosts, hostNameProblem)
  checkAddresses('origins', origins, originProblem)
  checkPage(options)
  const access = await accessOf(options)
  const files = options.files ?? createFiles(dataFolder)
  const metrics = createNodeMetrics(() => runs.load())
  const log = countedLog(options.log, metrics)
  const runs = createRuns({
    ...options,
    log,
    keepFile: files.keep,
    readFile: (id) => wholeFile(files, id),
    workFolder: join(dataFolder, 'work'),
  })
  // A process that ended between a deletion and the removal has left some.
  const recovered = runs.recover().then(() => removeUnusedFiles(log, files).catch(report))
  await Promise.race([recovered, setTimeout(recoverWithin)])
  const draining = new AbortController()
  const shutdown = new AbortController()
  const requests = createRequestWatch((seen) => {
    metrics.onRequest(seen)
    try {
      onRequest(lineOf(seen))
    } catch (error) {
      report(error)
    }
  })
  const times = { ...defaultTiming, ...timing }
  const leaving = createLeaving({ log, runs, delay: times.delay, leaveWithin: options.leaveWithin ?? 10_000, report })
  const cors = createCors(origins, 'authorize' in access)
  const services: Services = {
    log,
    fanOut: createFanOut(log, (watch, change) => {
      metrics.onViewers(watch, change)
      leaving.onViewers(watch.threadId, change)
    }),
    looks: createSharedLooks(log),
    runs,
    files,
    guard: createGuard({
      ...access,
      hosts,
      origins,
      basePath,
      ...(host && { host }),
      ...(page && { port: page.port }),
    }),
    tickets: createTickets(),
    sessions: checkedSessions(options.sessions),
    cors,
    limits: { ...defaultLimits, ...options.limits },
    timing: times,
    starts: createStarts(),
    leaving,
    show: page?.folder === undefined ? undefined : createShow(join(page.folder, 'recordings/scenario')),
    requests,
    metrics: metrics.text,
    draining: draining.signal,
    shutdown: shutdown.signal,
    report,
  }
  const app = createApp(services, page && createStaticFiles(page.folder, basePath), basePath)
  const nodeListener = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: unreadableResponse })
  function drain(): void {
    draining.abort()
    runs.drain()
  }

  return {
    token: 'token' in access ? access.token : undefined,
    // A host may pass more arguments than the request, such as its own bindings.
    fetch: async (request) =>
      setOnWeb(
        await requests.watchWeb(request, async () => app.fetch(request)),
        cors.headersFor(request.headers.get('origin') ?? undefined),
      ),
    listener(request, response) {
      restoreAddress(request)
      requests.watchNode(request, response)
      if (draining.signal.aborted) response.shouldKeepAlive = false
      setOnNode(response, cors.headersFor(request.headers.origin))
      return nodeListener(request, response).catch((error: unknown) => {
        report(error)
        response.destroy()
      })
    },
    upgrade: createUpgrades(services, basePath),
    drain,
    async close() {
      drain()
      leaving.close()
      shutdown.abort()
      await Promise.all([runs.close(), services.show?.end()])
      // The answers to producers are still on their way.
      await requests.idle(ANSWER_WITHIN)
      metrics.close()
    },
  }
}

/** How long `close` waits for the responses that are under way, in ms. */
const ANSWER_WITHIN = 1_000

/** A token or the host's function, never both: one of two ways in may be forgotten. */
async function accessOf({ token, authorize, dataFolder, host = 'localhost' }: HandlerOptions): Promise<Access> {
  const problem = token === undefined ? undefined : tokenProblem(token, host)
  if (problem !== undefined) throw new Error(problem)
  if (authorize === undefined) return { token: token ?? (await keptToken(dataFolder)) }
  if (token !== undefined) throw new Error('Access is checked either by a token or by `authorize`, not both.')
  return { authorize }
}

const defaultLimits: Limits = { uploadBytes: 64 * 1024 * 1024, bodyBytes: 4 * 1024 * 1024 }

function checkAddresses(
  option: string,
  values: readonly string[],
  problemOf: (value: string) => string | undefined,
): void {
  const problems = values.flatMap((value) => problemOf(value) ?? [])
  if (problems.length > 0) throw new Error(problems.map((problem) => `\`${option}\` ${problem}`).join('\n'))
}

/** The page signs in with a token. */
function checkPage({ app, authorize }: HandlerOptions): void {
  if (app === undefined || authorize === undefined) return
  throw new Error('The app is served only with a token, not with `authorize`.')
}

/** For a message that is not a valid request, such as one without a host: the app never gets it. */
function unreadableResponse(cause: unknown): Response {
  const { status, body } = refusalOf(new ApiError(400, 'bad-request', 'The request cannot be read.', { cause }))
  return Response.json(body, { status, headers: apiHeaders })
}
