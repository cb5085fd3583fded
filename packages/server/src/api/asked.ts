import type { Asked } from './guard.ts'
import type { Context } from './services.ts'

/** What the guard looks at, of a request over HTTP. */
export const askedOf = (context: Context): Asked => ({
  isApi: isApiPath(context.req.path),
  isSafe: ['GET', 'HEAD'].includes(context.req.method),
  header: headerOf(context),
  request: () => context.req.raw,
  incoming: context.env?.incoming,
})

const isApiPath = (path: string) => path === '/api' || path.startsWith('/api/')

/** Where the web's own `Request` is all there is, the host stands in its address alone. */
export const headerOf = (context: Context) => (name: string) =>
  context.req.header(name) ?? (name === 'host' ? new URL(context.req.url).host : undefined)
