import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { ApiError } from './errors.ts'

/** What of a request says where it comes from and by what right. */
export interface Asked {
  readonly isApi: boolean
  /** A header by its lower-case name. */
  header(name: string): string | undefined
}

export interface Guard {
  /** The cookie that carries the token, ready to be set. */
  readonly cookie: string
  /** Throws 403 for a request that a foreign page, or a name that only points here, has sent. */
  checkOrigin(asked: Asked): void
  /** Throws 401 for a request without the token, in its header or its cookie. */
  checkToken(asked: Asked): void
  isToken(given: string): boolean
}

export interface GuardOptions {
  readonly token: string
  /** The address that the server is bound to. */
  readonly host: string
  readonly port: number
  /** Other names that it may be called by, such as a proxy's. */
  readonly hosts?: readonly string[]
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::', ''])

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean => loopback.has(bracketed(host)) || /^127(\.\d{1,3}){3}$/.test(host)

export function createGuard({ token, host, port, hosts = [] }: GuardOptions): Guard {
  const names = new Set([...loopback, bracketed(host), ...hosts])
  const digest = digestOf(token)
  // Cookies do not know ports: two servers on one machine must not take each other's.
  const cookieName = `millrace-${port}`

  /** A page that rebinds its own name to this address still says its name, and a number is no name. */
  function isOurs(hostname: string): boolean {
    return names.has(hostname) || (wildcards.has(host) && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
  }

  function isToken(given: string): boolean {
    return timingSafeEqual(digestOf(given), digest)
  }

  return {
    cookie: `${cookieName}=${encodeURIComponent(token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`,
    isToken,
    checkOrigin({ header, isApi }) {
      const asked = hostnameOf(header('host'))
      if (asked === undefined || !isOurs(asked)) throw forbidden('This name does not belong to the server.')
      const origin = header('origin')
      if (origin !== undefined && !isOriginOf(origin, header('host'))) throw forbidden('Other pages may not ask.')
      const site = header('sec-fetch-site') ?? 'none'
      if (isApi && site !== 'same-origin' && site !== 'none') throw forbidden('Other pages may not ask.')
    },
    checkToken({ header }) {
      const bearer = /^bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1]
      const given = bearer ?? cookieOf(header('cookie') ?? '', cookieName)
      if (given === undefined || !isToken(given)) throw new ApiError(401, 'unauthorized', 'A token is needed.')
    },
  }
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
