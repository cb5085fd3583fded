import type { ServerResponse } from 'node:http'
import { allWires } from '@millrace/core/wire'
import type { GuardedRequest } from './guard.ts'
import { routes } from './routes/index.ts'

type Headers = { readonly [name: string]: string }

/** The headers by which a browser lets a page of another origin read an answer. */
export interface Cors {
  /** For every answer to a request of this origin, also for refusals and streams. */
  headersFor(origin: string | undefined): Headers
  /** For the answer to a browser that asks what a page may send; undefined for any other request. */
  preflightHeaders(asked: GuardedRequest, method: string): Headers | undefined
}

/** What the API reads, and what clients add to their requests. */
const SENT = [
  'Authorization',
  'Cache-Control',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Millrace-Profile',
  'User-Agent',
  'X-Requested-With',
]

/** What clients read, beside the headers that every page may read. */
const READ = ['Allow', 'Content-Disposition', 'ETag', 'Retry-After', 'WWW-Authenticate']

/** How long a browser may keep the answer, in seconds; browsers allow no more. */
const KEPT = 7_200

/** `hasCookies`: whether a page may send cookies along. The token's cookie belongs to our own page alone. */
export function createCors(origins: readonly string[], hasCookies: boolean): Cors {
  const pages: ReadonlySet<string> = new Set(origins)
  const isNamed = (origin: string | undefined) => origin !== undefined && pages.has(origin)
  const exposed = [...READ, ...Object.values(allWires()).flatMap(({ headers }) => Object.keys(headers))].join(', ')
  return {
    headersFor(origin) {
      if (pages.size === 0) return {}
      // A cache must not hand one page the answer to another.
      if (origin === undefined || !isNamed(origin)) return { vary: 'Origin' }
      return {
        vary: 'Origin',
        'access-control-allow-origin': origin,
        'access-control-expose-headers': exposed,
        ...(hasCookies && { 'access-control-allow-credentials': 'true' }),
      }
    },
    preflightHeaders({ header, isApi }, method) {
      const isPreflight = method === 'OPTIONS' && header('access-control-request-method') !== undefined
      if (!isPreflight || !isApi || !isNamed(header('origin'))) return undefined
      return {
        'access-control-allow-methods': [...new Set(['HEAD', ...routes.map((route) => route.method)])].join(', '),
        'access-control-allow-headers': SENT.join(', '),
        'access-control-max-age': String(KEPT),
      }
    },
  }
}

/** Set before anything is written: a stream sends its head by itself. What the host has set is kept. */
export function setOnNode(response: ServerResponse, { vary, ...headers }: Headers): void {
  if (vary !== undefined) response.appendHeader('vary', vary)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

export function setOnWeb(response: Response, { vary, ...headers }: Headers): Response {
  if (vary !== undefined) response.headers.append('vary', vary)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
