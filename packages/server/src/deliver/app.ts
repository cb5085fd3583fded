import { Hono } from 'hono'
import { ApiError, refusalOf } from './errors.ts'
import { apiHeaders } from './headers.ts'
import { routes } from './routes/index.ts'
import type { Bindings, Context, Services } from './services.ts'
import type { StaticFiles } from './static-files.ts'

export type App = Hono<{ Bindings: Bindings }>

/** The API and the app's own files, behind one guard. */
export function createApp(services: Services, pages: StaticFiles): App {
  const { guard } = services
  const app: App = new Hono({ strict: false })

  app.use(async (context, next) => {
    const isApi = isApiPath(context.req.path)
    guard.checkOrigin({ isApi, header: headerOf(context) })
    await next()
    if (isApi) setHeaders(context)
  })

  for (const { method, path, policy, handle } of routes) {
    app.on(method, path, (context) => {
      if (policy === 'token') guard.checkToken({ isApi: true, header: headerOf(context) })
      return handle(context, services)
    })
  }

  app.all('/api/*', (context) => {
    guard.checkToken({ isApi: true, header: headerOf(context) })
    throw new ApiError(404, 'unknown-route', `There is no ${context.req.method} ${context.req.path}.`)
  })
  app.get('/', (context, next) => signIn(context, services) ?? next())
  app.get('*', (context) => pages.respond(context.req.path, headerOf(context)))

  app.notFound((context) => refuse(context, new ApiError(404, 'unknown-route', 'There is no such route.')))
  app.onError((error, context) => {
    const { status } = refusalOf(error)
    if (status === 500) services.report(error)
    return refuse(context, error)
  })
  return app
}

const isApiPath = (path: string) => path === '/api' || path.startsWith('/api/')

/** Where the web's own `Request` is all there is, the host stands in its address alone. */
const headerOf = (context: Context) => (name: string) =>
  context.req.header(name) ?? (name === 'host' ? new URL(context.req.url).host : undefined)

/** Where a handler has said it otherwise, that stands. */
function setHeaders(context: Context): void {
  for (const [name, value] of Object.entries(apiHeaders)) {
    if (!context.res.headers.has(name)) context.res.headers.set(name, value)
  }
}

function refuse(context: Context, error: unknown): Response {
  const { status, body } = refusalOf(error)
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  // What is left of the body is not waited for.
  const closing = context.env?.incoming?.complete === false ? { connection: 'close' } : {}
  return context.json(body, status as 400, { ...apiHeaders, ...challenge, ...closing })
}

/** `/?token=…` once: the token moves into a cookie and out of the address. */
function signIn(context: Context, { guard }: Services): Response | undefined {
  const token = context.req.query('token')
  if (token === undefined) return undefined
  if (!guard.isToken(token)) throw new ApiError(401, 'unauthorized', 'The token is not the right one.')
  return context.body(null, 302, { ...apiHeaders, location: '/', 'set-cookie': guard.cookie })
}
