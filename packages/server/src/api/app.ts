import { ApiError } from '@millrace/core/api'
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { bodyFor, refusalOf } from './errors.ts'
import type { GuardedRequest } from './guard.ts'
import { apiHeaders, remedies } from './headers.ts'
import { guardedRequestOf, headerOf, pathBelow } from './request.ts'
import { factsOf } from './request-watch.ts'
import { routes } from './routes/index.ts'
import type { Bindings, Context, Services } from './services.ts'
import type { StaticFiles } from './static-files.ts'

export type App = Hono<{ Bindings: Bindings }>

/** The path of every request that is not below the base path. */
const ELSEWHERE = '/.elsewhere'

/** The API, and the app's files if there are any, behind one guard. */
export function createApp(services: Services, pages: StaticFiles | undefined, basePath = ''): App {
  const { guard } = services
  const app: App = new Hono({ getPath: (request) => withoutSlash(pathBelow(basePath, getPath(request)) ?? ELSEWHERE) })

  app.use(async (context, next) => {
    const request = guardedRequestOf(context)
    guard.checkOrigin(request)
    if (services.shutdown.aborted) throw new ApiError(503, 'closing', 'The server is closing.')
    if (context.req.path === ELSEWHERE) throw elsewhere(basePath, context)
    const preflight = services.cors.preflightHeaders(request, context.req.method)
    if (preflight !== undefined) return context.body(null, 204, { ...apiHeaders, ...preflight })
    if (isWebSocket(request)) await guard.checkAccess(request).then(refuseWebSocket)
    await next()
    if (request.isApi) setHeaders(context)
    return undefined
  })

  for (const { method, path, policy, handle } of routes) {
    app.on(method, path, async (context) => {
      services.requests.note(context, factsOf(path, context.req.param('id')))
      if (policy === 'token') await guard.checkAccess(guardedRequestOf(context))
      if (isBodyTaken(context)) throw bodyTaken()
      return handle(context, services)
    })
  }

  const refuseUnknown = async (context: Context) => {
    await guard.checkAccess(guardedRequestOf(context))
    const allowed = methodsOf(context.req.path)
    if (allowed.length > 0) return wrongMethod(context, allowed)
    throw new ApiError(404, 'unknown-route', `There is no ${context.req.method} ${context.req.path}.`)
  }
  app.all('/api/*', refuseUnknown)
  app.all('/metrics', refuseUnknown)
  if (pages !== undefined) {
    app.get('/', (context, next) => signIn(context, services, basePath) ?? next())
    app.get('*', (context) => pages.respond(context.req.path, headerOf(context)))
  }

  app.notFound((context) => refuse(context, new ApiError(404, 'unknown-route', 'There is no such route.')))
  app.onError((error, context) => {
    const { status } = refusalOf(error)
    if (status === 500) services.report(error)
    return refuse(context, error)
  })
  return app
}

const withoutSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

function elsewhere(basePath: string, { req }: Context): ApiError {
  const sentence = `${new URL(req.url).pathname} is not below ${basePath}: the handler needs the address as the client sent it.`
  return new ApiError(404, 'unknown-route', sentence)
}

const isWebSocket = ({ isApi, header }: GuardedRequest) => isApi && header('upgrade')?.toLowerCase() === 'websocket'

/** A request that gets here was not handled as an upgrade. */
function refuseWebSocket(): never {
  const sentence = "The host does not pass WebSockets on. On Node, pass its server's upgrade events to the handler."
  throw new ApiError(501, 'no-websocket', `${sentence} /api/runs/:id/stream sends the same as server-sent events.`)
}

/** Whether the host has already read the body. */
function isBodyTaken({ env, req }: Context): boolean {
  const { incoming } = env ?? {}
  if (incoming === undefined) return req.raw.bodyUsed
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers
  return incoming.readableDidRead && (encoding !== undefined || Number(length) > 0)
}

function bodyTaken(): ApiError {
  const sentence = 'The host has already read the body: mount the handler before express.json() and similar middleware.'
  return new ApiError(500, 'body-taken', sentence)
}

const patterns = routes.map(({ method, path }) => ({
  methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** The methods of the routes at a path. */
function methodsOf(path: string): readonly string[] {
  return patterns.flatMap(({ methods, pattern }) => (pattern.test(path) ? methods : []))
}

function wrongMethod(context: Context, allowed: readonly string[]): Response {
  const list = allowed.join(', ')
  const sentence = `There is no ${context.req.method} ${context.req.path}, only ${list}.`
  const response = refuse(context, new ApiError(405, 'wrong-method', sentence))
  response.headers.set('allow', list)
  return response
}

/** Headers that a route has set are kept. */
function setHeaders(context: Context): void {
  for (const [name, value] of Object.entries(apiHeaders)) {
    if (!context.res.headers.has(name)) context.res.headers.set(name, value)
  }
}

/** The same request may succeed in a second, here or at another node. */
const AGAIN: ReadonlySet<string> = new Set([
  'run-busy',
  'draining',
  'closing',
  'lease-lost',
  'unknown-node',
  'out-of-step',
])

function refuse(context: Context, error: unknown): Response {
  const { status, body } = refusalOf(error)
  // The rest of the body is not awaited.
  const closing = context.env?.incoming?.complete === false ? { connection: 'close' } : {}
  const again = AGAIN.has(body.error.code) ? { 'retry-after': '1' } : {}
  const headers = { ...apiHeaders, ...remedies[status], ...again, ...closing }
  if (!wantsSentence(context)) return context.json(bodyFor(context.req.path, { status, body }), status as 400, headers)
  return context.text(body.error.message, status as 400, { ...headers, 'x-millrace-error': body.error.code })
}

/**
 * The AI SDK's client shows a person the whole body of a refusal. A browser's page gets the sentence alone on the routes of
 * that client, unless it asks for JSON; the code is in a header.
 */
function wantsSentence({ req }: Context): boolean {
  const isPage = req.header('sec-fetch-dest') === 'empty' || /\btext\/plain\b/i.test(req.header('accept') ?? '')
  const isChat = /^\/api\/chat(?:\/|$)/.test(req.path)
  return isChat && isPage && !/\bjson\b/i.test(req.header('accept') ?? '')
}

/** `/?token=…` moves the token out of the address and into a cookie. */
function signIn(context: Context, { guard }: Services, basePath: string): Response | undefined {
  const token = context.req.query('token')
  if (token === undefined) return undefined
  const cookie = guard.signIn(token, guardedRequestOf(context))
  if (cookie === undefined) throw new ApiError(401, 'unauthorized', 'The token is not valid.')
  return context.body(null, 302, { ...apiHeaders, location: `${basePath}/`, 'set-cookie': cookie })
}
