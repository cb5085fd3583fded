import { present } from '@millrace/core/json'
import { readThread, type ThreadRoute, writeThread } from './position/thread-route.ts'
import { type RunsRoute, readRuns, writeRuns } from './runs/runs-route.ts'

/** The current page. `agent` is the one that is chosen on it. */
export type Route =
  | { readonly name: 'start'; readonly agent?: string }
  | { readonly name: 'agents'; readonly agent?: string }
  | { readonly name: 'formats' }
  | RunsRoute
  | ThreadRoute
  | { readonly name: 'unknown'; readonly path: string }

/** The parts of an address that a route is read from. */
export interface Address {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

type Named<Name extends Route['name']> = Extract<Route, { name: Name }>

interface Page<Name extends Route['name']> {
  readonly path: RegExp
  /** Undefined if the address is none of this page. The first group of the path is decoded. */
  read(part: string | undefined, query: URLSearchParams, hash: string): Named<Name> | undefined
  write(route: Named<Name>): string
}

const encoded = encodeURIComponent

const pages: { readonly [Name in Exclude<Route['name'], 'unknown'>]: Page<Name> } = {
  start: {
    path: /^\/?$/,
    read: (_part, query) => present({ name: 'start' as const, agent: query.get('agent') ?? undefined }),
    write: ({ agent }) => (agent === undefined ? '/' : `/?agent=${encoded(agent)}`),
  },
  agents: {
    path: /^\/agents(?:\/([^/]+))?\/?$/,
    read: (agent) => present({ name: 'agents' as const, agent }),
    write: ({ agent }) => (agent === undefined ? '/agents' : `/agents/${encoded(agent)}`),
  },
  formats: { path: /^\/formats\/?$/, read: () => ({ name: 'formats' }), write: () => '/formats' },
  runs: { path: /^\/runs\/?$/, read: (_part, query) => readRuns(query), write: writeRuns },
  thread: { path: /^\/t\/([^/]+)\/?$/, read: readThread, write: writeThread },
}

export function routeOf({ pathname, search, hash }: Address): Route {
  const query = new URLSearchParams(search)
  for (const { path, read } of Object.values(pages)) {
    const match = path.exec(pathname)
    const route = match === null ? undefined : read(decoded(match[1]), query, hash)
    if (route !== undefined) return route
  }
  return { name: 'unknown', path: pathname }
}

export const addressOf = (route: Route): string =>
  route.name === 'unknown' ? route.path : pages[route.name].write(route as never)

/** Undefined if it is not valid percent-encoding, which a typed address may contain. */
function decoded(part: string | undefined): string | undefined {
  if (part === undefined) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
