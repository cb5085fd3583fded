/** The current page. `agent` is the one that is chosen on it. `seq` is the entry to show, of the run named `runId` or else of the thread's last one. */
export type Route =
  | { readonly name: 'start'; readonly agent?: string }
  | { readonly name: 'agents'; readonly agent?: string }
  | { readonly name: 'thread'; readonly threadId: string; readonly runId?: string; readonly seq?: number }
  | { readonly name: 'unknown'; readonly path: string }

/** The parts of an address that a route is read from. */
export interface Address {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

export function routeOf({ pathname, search, hash }: Address): Route {
  const query = new URLSearchParams(search)
  if (pathname === '/' || pathname === '') return withAgent('start', query.get('agent') ?? undefined)
  const agents = /^\/agents(?:\/([^/]+))?\/?$/.exec(pathname)
  if (agents !== null) return withAgent('agents', decoded(agents[1]))
  const threadId = decoded(/^\/t\/([^/]+)\/?$/.exec(pathname)?.[1])
  if (threadId === undefined) return { name: 'unknown', path: pathname }
  const runId = query.get('run') ?? undefined
  const seq = /^#seq-(\d{1,15})$/.exec(hash)?.[1]
  return {
    name: 'thread',
    threadId,
    ...(runId !== undefined && { runId }),
    ...(seq !== undefined && { seq: Number(seq) }),
  }
}

const withAgent = (name: 'start' | 'agents', agent: string | undefined): Route =>
  agent === undefined ? { name } : { name, agent }

export function addressOf(route: Route): string {
  if (route.name === 'start') return route.agent === undefined ? '/' : `/?agent=${encodeURIComponent(route.agent)}`
  if (route.name === 'agents')
    return route.agent === undefined ? '/agents' : `/agents/${encodeURIComponent(route.agent)}`
  if (route.name === 'unknown') return route.path
  const query = route.runId === undefined ? '' : `?run=${encodeURIComponent(route.runId)}`
  const hash = route.seq === undefined ? '' : `#seq-${route.seq}`
  return `/t/${encodeURIComponent(route.threadId)}${query}${hash}`
}

export interface Router {
  snapshot(): Route
  subscribe(listener: () => void): () => void
  /** The address of a route on this server, for a link. */
  hrefOf(route: Route): string
  /** Goes to a route: as a new step of the history, or in place of the current one. */
  go(route: Route, mode?: 'push' | 'replace'): void
}

/** Where the app is mounted, such as `/agents`, as the server has written it into the page; empty at the root. */
export function basePathOf(page: Document): string {
  const base = page.querySelector<HTMLMetaElement>('meta[name="millrace-base"]')?.content ?? '/'
  return base.replace(/^\./, '').replace(/\/$/, '')
}

/** The history of the page, as routes below the base path. The snapshot is the same object until the address changes. */
export function createRouter(page: Window, basePath: string): Router {
  const listeners = new Set<() => void>()
  let route = currentRoute()

  function currentRoute(): Route {
    const { pathname, search, hash } = page.location
    return routeOf({ pathname: pathname.slice(basePath.length), search, hash })
  }

  function read(): void {
    route = currentRoute()
    for (const listener of [...listeners]) listener()
  }

  const hrefOf = (next: Route) => `${basePath}${addressOf(next)}`

  page.addEventListener('popstate', read)
  page.addEventListener('hashchange', read)

  return {
    snapshot: () => route,
    hrefOf,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    go(next, mode = 'push') {
      const address = hrefOf(next)
      // As a link of the browser does: the page that is shown gets no second step.
      const isHere = address === page.location.pathname + page.location.search + page.location.hash
      if (mode === 'push' && !isHere) page.history.pushState(undefined, '', address)
      else page.history.replaceState(undefined, '', address)
      read()
    },
  }
}

/** Undefined if it is not valid percent-encoding, which a typed address may contain. */
function decoded(part: string | undefined): string | undefined {
  if (part === undefined) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
