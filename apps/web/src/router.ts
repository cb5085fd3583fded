import { addressOf, type Route, routeOf } from './routes.ts'

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
