import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { ApiError } from '@millrace/core/api'

/** The parts of a request that say where it comes from and with which credentials. */
export interface GuardedRequest {
  readonly isApi: boolean
  /** Whether the request can change nothing. */
  readonly isSafe: boolean
  /** A header by its lower-case name. */
  header(name: string): string | undefined
  /** The request as a web `Request`. */
  request(): Request
  /** Node's own request, if Node serves. */
  readonly incoming?: IncomingMessage | undefined
}

/**
 * The host's decision whether a request may pass, for every request but health and readiness, and for every WebSocket before its handshake.
 * It gets the request, whose body it MUST NOT read, and Node's own request if Node serves, with what middleware has added.
 * Only `true` lets the request pass.
 */
export type Authorize = (request: Request, incoming?: IncomingMessage) => boolean | Promise<boolean>

/** How access is decided: by a token, or by the host. */
export type Access = { readonly token: string } | { readonly authorize: Authorize }

export interface Guard {
  /** Throws 403 for a request of a foreign page, or under a host name that is not the server's. */
  checkOrigin(asked: GuardedRequest): void
  /** Rejects with 401 for a request without the token in a header or cookie, or one that the host does not authorize. */
  checkAccess(asked: GuardedRequest): Promise<void>
  /** The `set-cookie` value that carries the token; undefined for a wrong token, or if there is no sign-in by token. */
  signIn(token: string, asked: GuardedRequest): string | undefined
  /** The `set-cookie` value that removes that cookie; undefined if there is no sign-in by token. */
  signOut(asked: GuardedRequest): string | undefined
}

export type GuardOptions = Access & {
  /** The address that the server is bound to; absent if a host binds it. */
  readonly host?: string
  /** Cookies ignore ports: two servers on one machine must not read each other's. */
  readonly port?: number
  /** The cookie is sent below it only. */
  readonly basePath?: string
  /** Further host names that are accepted, such as a proxy's. */
  readonly hosts?: readonly string[]
  /** Origins of other pages whose requests are accepted. */
  readonly origins?: readonly string[]
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** In seconds. */
const YEAR = 31_536_000

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::', ''])

/** Whether the address can be reached from this machine only. */
export const isLoopback = (host: string): boolean => loopback.has(bracketed(host)) || /^127(\.\d{1,3}){3}$/.test(host)

export function createGuard(options: GuardOptions): Guard {
  const { host = 'localhost', hosts = [], origins = [] } = options
  const proxies = new Set(hosts.map((name) => name.toLowerCase()))
  const names = new Set([...loopback, bracketed(host), ...proxies])
  const pages: ReadonlySet<string> = new Set(origins)

  /** A page that rebinds its name to this address still sends its name. An IP address cannot be rebound. */
  function isOurs(hostname: string): boolean {
    return names.has(hostname) || (wildcards.has(host) && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
  }

  /** `x-forwarded-proto` counts only from a proxy that the options name. */
  function isSecure({ header, request }: GuardedRequest): boolean {
    if (new URL(request().url).protocol === 'https:') return true
    const isProxied = proxies.has(hostnameOf(header('host')) ?? '')
    return isProxied && /^https(?:,|$)/i.test(header('x-forwarded-proto') ?? '')
  }

  return {
    ...('token' in options ? byToken(options, isSecure) : byHost(options.authorize)),
    checkOrigin({ header, isApi, incoming }) {
      for (const name of [header('host'), ...targetHostOf(incoming)]) {
        const asked = hostnameOf(name)
        if (asked === undefined || !isOurs(asked)) throw forbidden('This name does not belong to the server.')
      }
      const origin = header('origin')
      if (origin !== undefined && pages.has(origin)) return
      if (origin !== undefined && !isOriginOf(origin, header('host'))) throw foreignPage(origin, header('host'))
      const site = header('sec-fetch-site') ?? 'none'
      if (isApi && site !== 'same-origin' && site !== 'none') throw foreignPage(origin, header('host'))
    },
  }
}

type Entrance = Pick<Guard, 'checkAccess' | 'signIn' | 'signOut'>

/** Without a port there is no cookie: its name contains the port. */
function byToken(
  { token, port, basePath = '' }: Pick<GuardOptions, 'port' | 'basePath'> & { readonly token: string },
  isSecure: (asked: GuardedRequest) => boolean,
): Entrance {
  const digest = digestOf(token)
  const isToken = (given: string) => timingSafeEqual(digestOf(given), digest)
  const cookieName = port === undefined ? undefined : `millrace-${port}`
  const path = basePath === '' ? '/' : basePath

  function cookie(value: string, seconds: number, asked: GuardedRequest): string {
    const secure = isSecure(asked) ? '; Secure' : ''
    return `${cookieName}=${value}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`
  }

  return {
    async checkAccess({ header }) {
      const bearer = /^bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1]
      const given = bearer ?? (cookieName && cookieOf(header('cookie') ?? '', cookieName))
      if (given === undefined || !isToken(given)) throw new ApiError(401, 'unauthorized', 'A token is needed.')
    },
    signIn(given, asked) {
      if (cookieName === undefined || !isToken(given)) return undefined
      return cookie(encodeURIComponent(token), YEAR, asked)
    },
    signOut: (asked) => (cookieName === undefined ? undefined : cookie('', 0, asked)),
  }
}

/** The host's sessions may be cookies, which any page can make a browser send. */
function byHost(authorize: Authorize): Entrance {
  return {
    async checkAccess({ isSafe, header, request, incoming }) {
      if (!isSafe && isSentUnasked(header) && !isFromOurPage(header)) {
        throw forbidden('A change that comes with cookies must say by its Origin which page has sent it.')
      }
      const isAuthorized = await (incoming === undefined ? authorize(request()) : authorize(request(), incoming))
      if (isAuthorized !== true) throw new ApiError(401, 'unauthorized', 'The host does not authorize this request.')
    },
    signIn: () => undefined,
    signOut: () => undefined,
  }
}

/** Whether a browser may have added the credentials without the page's knowledge. */
function isSentUnasked(header: GuardedRequest['header']): boolean {
  return header('cookie') !== undefined || /^(?:basic|digest|negotiate|ntlm)\b/i.test(header('authorization') ?? '')
}

/** Whether the request names an origin that was accepted. Browsers send it with every request that can change something. */
function isFromOurPage(header: GuardedRequest['header']): boolean {
  return header('origin') !== undefined || header('sec-fetch-site') === 'same-origin'
}

const forbidden = (sentence: string) => new ApiError(403, 'forbidden', sentence)

/** A proxy that replaces the host, such as one of development with `changeOrigin: true`, makes its own page a foreign one. */
function foreignPage(origin: string | undefined, host: string | undefined): ApiError {
  const page = origin === undefined ? 'Another page' : `The page ${origin.slice(0, 200)}`
  const remedy = 'Name its origin in `origins` (--origin), or let the proxy in between forward the Host of the page.'
  return forbidden(`${page} may not send requests to ${(host ?? '').slice(0, 200)}. ${remedy}`)
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** IPv6 addresses are written in brackets wherever a port could follow. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase()
}

function hostnameOf(host: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(host ?? '')?.[1]?.toLowerCase()
}

/** The host in the request line, as clients of a proxy send it. HTTP gives it precedence over the header. */
function targetHostOf(incoming: IncomingMessage | undefined): readonly (string | undefined)[] {
  const { url = '/' } = incoming ?? {}
  return /^[a-z][a-z\d+.-]*:/i.test(url) ? [URL.parse(url)?.host] : []
}

/** Whether the page has the host name of the request. Behind a proxy its scheme may be `https`. */
function isOriginOf(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

function cookieOf(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const [key, value] = pair.trim().split('=')
    if (key === name && value !== undefined) return decoded(value)
  }
  return undefined
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
