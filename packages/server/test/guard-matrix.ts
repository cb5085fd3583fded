/** For tests: where a request may come from and with which credentials, and the verdict that docs/mounting.md promises. */

export const TOKEN = 'mill-token-for-tests'
export const PORT = 4870
const OWN = `127.0.0.1:${PORT}`

/** How a server lets clients in: by a token, with the app's cookie or without it, or by the host's function. */
export type Entrance = 'server' | 'mounted' | 'authorize'

type Headers = { readonly [name: string]: string }

interface Credential {
  readonly headers: Headers
  /** The entrances that it opens. */
  readonly opens: readonly Entrance[]
  /** Whether a browser adds it to the requests of any page. */
  readonly isUnasked?: true
}

const bearer = { authorization: `Bearer ${TOKEN}` }
const cookie = { cookie: `other=1; millrace-${PORT}=${TOKEN}; last=2` }
const all: readonly Entrance[] = ['server', 'mounted', 'authorize']

const credentials: { readonly [name: string]: Credential } = {
  none: { headers: {}, opens: [] },
  bearer: { headers: bearer, opens: all },
  'bearer in capitals': { headers: { authorization: `BEARER ${TOKEN}` }, opens: ['server', 'mounted'] },
  'wrong bearer': { headers: { authorization: `Bearer ${TOKEN}x` }, opens: [] },
  'the beginning of the token': { headers: { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, opens: [] },
  'empty bearer': { headers: { authorization: 'Bearer ' }, opens: [] },
  'bare token': { headers: { authorization: TOKEN }, opens: [] },
  basic: { headers: { authorization: `Basic ${TOKEN}` }, opens: [], isUnasked: true },
  cookie: { headers: cookie, opens: ['server'], isUnasked: true },
  'wrong cookie': { headers: { cookie: `millrace-${PORT}=x${TOKEN}` }, opens: [], isUnasked: true },
  'empty cookie': { headers: { cookie: `millrace-${PORT}=` }, opens: [], isUnasked: true },
  'cookie of another port': { headers: { cookie: `millrace-${PORT + 1}=${TOKEN}` }, opens: [], isUnasked: true },
  'cookie that cannot be decoded': { headers: { cookie: `millrace-${PORT}=%E0%A4%A` }, opens: [], isUnasked: true },
  'session of the host': { headers: { cookie: 'session=keeper' }, opens: ['authorize'], isUnasked: true },
  'bearer and wrong cookie': {
    headers: { ...bearer, cookie: `millrace-${PORT}=wrong` },
    opens: all,
    isUnasked: true,
  },
  'wrong bearer and cookie': { headers: { ...cookie, authorization: 'Bearer wrong' }, opens: [], isUnasked: true },
}

/** The sessions of the host in these tests. */
export const authorize = (request: Request): boolean =>
  request.headers.get('cookie') === 'session=keeper' || request.headers.get('authorization') === bearer.authorization

interface Origin {
  /** The header; undefined if it is absent. */
  readonly of: (host: string) => string | undefined
  readonly isOurs: boolean
}

const origins: { readonly [name: string]: Origin } = {
  absent: { of: () => undefined, isOurs: true },
  own: { of: (host) => `http://${host}`, isOurs: true },
  'own, behind a proxy with HTTPS': { of: (host) => `https://${host}`, isOurs: true },
  foreign: { of: () => 'https://evil.example', isOurs: false },
  null: { of: () => 'null', isOurs: false },
  empty: { of: () => '', isOurs: false },
  'another port': { of: (host) => `http://${host.replace(/:\d+$/, '')}:${PORT + 1}`, isOurs: false },
  'another scheme': { of: (host) => `ftp://${host}`, isOurs: false },
  'own name as a beginning': { of: (host) => `http://${host}.evil.example`, isOurs: false },
  'own name as an end': { of: (host) => `http://evil${host}`, isOurs: false },
  'own name as a user': { of: (host) => `http://${host}@evil.example`, isOurs: false },
}

/** `Sec-Fetch-Site`, and whether the API accepts it. */
export const sites: { readonly [site: string]: boolean } = {
  absent: true,
  'same-origin': true,
  none: true,
  'same-site': false,
  'cross-site': false,
}

/** `Sec-Fetch-Mode` decides nothing. */
const modes = ['absent', 'navigate', 'cors', 'websocket'] as const

/** `Host`, and whether the name is the server's. */
const hosts: { readonly [host: string]: boolean } = {
  [OWN]: true,
  '127.0.0.1': true,
  [`LocalHost:${PORT}`]: true,
  [`[::1]:${PORT}`]: true,
  'evil.example': false,
  [`evil.example:${PORT}`]: false,
  [`localhost.evil.example:${PORT}`]: false,
  [`127.0.0.1.evil.example:${PORT}`]: false,
  '10.0.0.1': false,
  '127.0.0.1@evil.example': false,
  '': false,
}

export interface Asked {
  readonly credential: string
  readonly origin: string
  readonly site: string
  readonly mode: (typeof modes)[number]
  readonly host: string
}

/** A request that everything is right about. */
export const rightful: Asked = { credential: 'bearer', origin: 'absent', site: 'absent', mode: 'absent', host: OWN }

export function headersOf({ credential, origin, site, mode, host }: Asked): Headers {
  const from = origins[origin]?.of(host)
  return {
    host,
    ...credentials[credential]?.headers,
    ...(from !== undefined && { origin: from }),
    ...(site !== 'absent' && { 'sec-fetch-site': site }),
    ...(mode !== 'absent' && { 'sec-fetch-mode': mode }),
  }
}

export type Verdict = 'forbidden' | 'unauthorized' | 'passes'

/** What the documents promise: first where a request comes from, then whether it could be forged, then its credentials. */
export function verdictOf(
  { credential, origin, site, host }: Asked,
  { entrance, policy, isSafe }: { entrance: Entrance; policy: 'page' | 'open' | 'token'; isSafe: boolean },
): Verdict {
  const isForeign = !hosts[host] || !origins[origin]?.isOurs || (policy !== 'page' && !sites[site])
  if (isForeign) return 'forbidden'
  if (policy !== 'token') return 'passes'
  const { opens = [], isUnasked } = credentials[credential] ?? {}
  const namesItsPage = origin !== 'absent' || site === 'same-origin'
  if (entrance === 'authorize' && isUnasked && !isSafe && !namesItsPage) return 'forbidden'
  return opens.includes(entrance) ? 'passes' : 'unauthorized'
}

/** Every combination, with every second host. */
export function* everyCase(): Generator<Asked> {
  for (const credential of Object.keys(credentials))
    for (const origin of Object.keys(origins))
      for (const site of Object.keys(sites))
        for (const host of Object.keys(hosts).filter((_, at) => at % 2 === 0))
          yield {
            credential,
            origin,
            site,
            host,
            mode: modes[(credential.length + site.length) % modes.length] ?? 'cors',
          }
}

/** One reason for each verdict. */
export const oneOfEach: readonly Asked[] = [
  rightful,
  { ...rightful, credential: 'none' },
  { ...rightful, credential: 'session of the host' },
  { ...rightful, origin: 'foreign' },
  { ...rightful, site: 'cross-site' },
  { ...rightful, host: 'evil.example' },
]

/** Each value once, beside what is right; and each credential as a browser sends it. */
export function* oneAtATime(): Generator<Asked> {
  for (const credential of Object.keys(credentials)) {
    yield { ...rightful, credential }
    yield { ...rightful, credential, origin: 'own', site: 'same-origin', mode: 'cors' }
  }
  for (const origin of Object.keys(origins)) yield { ...rightful, origin }
  for (const site of Object.keys(sites)) yield { ...rightful, site }
  for (const mode of modes) yield { ...rightful, mode }
  for (const host of Object.keys(hosts)) yield { ...rightful, host }
}

const everywhere: Headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** What is wrong with the headers of an answer. Every class of answers has the same ones. */
export function headerProblems(
  { status, header }: { readonly status: number; header(name: string): string | undefined },
  isApi: boolean,
): string[] {
  const problems = Object.entries(everywhere).flatMap(([name, value]) =>
    header(name) === value ? [] : [`${name}: ${header(name)}`],
  )
  const policy = header('content-security-policy') ?? ''
  const parts = isApi ? ["default-src 'none'", 'sandbox'] : ["default-src 'none'"]
  for (const part of [...parts, "frame-ancestors 'none'"]) if (!policy.includes(part)) problems.push(`CSP: ${policy}`)
  if (policy.includes('unsafe')) problems.push(`CSP: ${policy}`)
  if (isApi && !/no-store|private, no-cache/.test(header('cache-control') ?? '')) problems.push('it may be stored')
  for (const name of ['access-control-allow-origin', 'access-control-allow-credentials', 'x-powered-by'])
    if (header(name) !== undefined) problems.push(name)
  if (status === 401 && header('www-authenticate') !== 'Bearer') problems.push('no www-authenticate')
  if (status === 405 && !header('allow')) problems.push('no allow')
  return problems
}
