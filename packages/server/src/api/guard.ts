import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { ApiError } from '@millrace/core/api/api-error'

/** What of a request says where it comes from and by what right. */
export interface Asked {
  readonly isApi: boolean
  /** Whether it can change nothing, whoever asks. */
  readonly isSafe: boolean
  /** A header by its lower-case name. */
  header(name: string): string | undefined
  /** The request in the web's words. */
  request(): Request
  /** Node's own, where Node serves. */
  readonly incoming?: IncomingMessage | undefined
}

/**
 * The host's own word on who may ask, for every request but health, and for every WebSocket before its handshake. It gets
 * the request, of which it leaves the body alone, and where Node serves, Node's own with what middleware has put there.
 * Only `true` lets somebody in.
 */
export type Authorize = (request: Request, incoming?: IncomingMessage) => boolean | Promise<boolean>

/** Who may ask: whoever has the token, or whom the host knows. */
export type Access = { readonly token: string } | { readonly authorize: Authorize }

export interface Guard {
  /** Throws 403 for a request that a foreign page, or a name that only points here, has sent. */
  checkOrigin(asked: Asked): void
  /** Rejects with 401 for who has neither shown the token, in its header or its cookie, nor is known to the host. */
  checkAccess(asked: Asked): Promise<void>
  /** The cookie that carries the token, ready to be set; undefined for another token, or if none is signed in with. */
  signIn(token: string, asked: Asked): string | undefined
  /** What takes that cookie away; undefined if none is signed in with. */
  signOut(asked: Asked): string | undefined
}

export type GuardOptions = Access & {
  /** The address that the server is bound to; without one, where that is the host's affair, no address is ours. */
  readonly host?: string
  /** Cookies do not know ports: two servers on one machine must not take each other's. */
  readonly port?: number
  /** Names that it may be called by beside the machine's own, such as a proxy's. */
  readonly hosts?: readonly string[]
  /** Origins of other pages that may ask. */
  readonly origins?: readonly string[]
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** In seconds. */
const YEAR = 31_536_000

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::', ''])

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean => loopback.has(bracketed(host)) || /^127(\.\d{1,3}){3}$/.test(host)

export function createGuard(options: GuardOptions): Guard {
  const { host = 'localhost', hosts = [], origins = [] } = options
  const proxies = new Set(hosts.map((name) => name.toLowerCase()))
  const names = new Set([...loopback, bracketed(host), ...proxies])
  const pages: ReadonlySet<string> = new Set(origins)

  /** A page that rebinds its own name to this address still says its name, and a number is no name. */
  function isOurs(hostname: string): boolean {
    return names.has(hostname) || (wildcards.has(host) && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
  }

  /** A proxy's word on how it was asked counts only if the host has named the proxy. */
  function isSecure({ header, request }: Asked): boolean {
    if (new URL(request().url).protocol === 'https:') return true
    const isProxied = proxies.has(hostnameOf(header('host')) ?? '')
    return isProxied && /^https(?:,|$)/i.test(header('x-forwarded-proto') ?? '')
  }

  return {
    ...('token' in options ? byToken(options.token, options.port, isSecure) : byHost(options.authorize)),
    checkOrigin({ header, isApi, incoming }) {
      for (const name of [header('host'), ...targetHostOf(incoming)]) {
        const asked = hostnameOf(name)
        if (asked === undefined || !isOurs(asked)) throw forbidden('This name does not belong to the server.')
      }
      const origin = header('origin')
      if (origin !== undefined && pages.has(origin)) return
      if (origin !== undefined && !isOriginOf(origin, header('host'))) throw forbidden('Other pages may not ask.')
      const site = header('sec-fetch-site') ?? 'none'
      if (isApi && site !== 'same-origin' && site !== 'none') throw forbidden('Other pages may not ask.')
    },
  }
}

type Entrance = Pick<Guard, 'checkAccess' | 'signIn' | 'signOut'>

/** Only who knows on which port the cookie was set may look for it there. */
function byToken(token: string, port: number | undefined, isSecure: (asked: Asked) => boolean): Entrance {
  const digest = digestOf(token)
  const isToken = (given: string) => timingSafeEqual(digestOf(given), digest)
  const cookieName = port === undefined ? undefined : `millrace-${port}`

  function cookie(value: string, seconds: number, asked: Asked): string {
    const secure = isSecure(asked) ? '; Secure' : ''
    return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`
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

/** The host's sessions may live in cookies that any page makes a browser send. */
function byHost(authorize: Authorize): Entrance {
  return {
    async checkAccess({ isSafe, header, request, incoming }) {
      if (!isSafe && isSentUnasked(header) && !isFromOurPage(header)) {
        throw forbidden('A change that comes with cookies must say by its Origin which page has sent it.')
      }
      const isKnown = await (incoming === undefined ? authorize(request()) : authorize(request(), incoming))
      if (isKnown !== true) throw new ApiError(401, 'unauthorized', 'The host does not know who asks.')
    },
    signIn: () => undefined,
    signOut: () => undefined,
  }
}

/** Whether a browser may have added the credentials by itself. */
function isSentUnasked(header: Asked['header']): boolean {
  return header('cookie') !== undefined || /^(?:basic|digest|negotiate|ntlm)\b/i.test(header('authorization') ?? '')
}

/** Of an origin that was let through: browsers name it with whatever can change something. */
function isFromOurPage(header: Asked['header']): boolean {
  return header('origin') !== undefined || header('sec-fetch-site') === 'same-origin'
}

const forbidden = (sentence: string) => new ApiError(403, 'forbidden', sentence)

const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** IPv6 addresses stand in brackets wherever a port could follow. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase()
}

function hostnameOf(host: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(host ?? '')?.[1]?.toLowerCase()
}

/** The host that a request names in its first line, as clients of a proxy do; HTTP has it count more than the header. */
function targetHostOf(incoming: IncomingMessage | undefined): readonly (string | undefined)[] {
  const { url = '/' } = incoming ?? {}
  return /^[a-z][a-z\d+.-]*:/i.test(url) ? [URL.parse(url)?.host] : []
}

/** Whether the page was served under the name that it now asks by. Behind a proxy it may have been by `https`. */
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
