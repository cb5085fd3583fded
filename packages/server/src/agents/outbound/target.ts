import { isIP } from 'node:net'
import { type Reach, reachOf } from './addresses.ts'

/** The service that a file names. Nothing else is ever called. */
export interface Target {
  readonly url: URL
  /** The addresses that its name may have. */
  readonly reach: Exclude<Reach, 'never'>
}

/** `private`: the name may lead into the server's own network. A file says so, never a request. */
export type Network = 'public' | 'private'

export type ReadTarget = { readonly target: Target } | { readonly problem: string }

/** Reads the address of a service. */
export function readTarget(text: string, network: Network = 'public'): ReadTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return problem('`url` must begin with https:// or http://.')
  if (url.username !== '' || url.password !== '')
    return problem('`url` must not contain a password: put it into `headers`.')
  if (url.hash !== '') return problem('`url` must not have a fragment.')
  const reach = namedReach(url.hostname)
  if (reach === 'never') return problem(`${url.hostname} is no address of a service.`)
  const allowed = reach === 'public' && network === 'private' ? 'private' : reach
  if (url.protocol === 'http:' && allowed === 'public')
    return problem('`url` must begin with https://, unless it names this machine or the file has `network: private`.')
  return { target: { url, reach: allowed } }
}

const problem = (sentence: string): ReadTarget => ({ problem: sentence })

/** What a file names: an address is what it is, any other name is public unless the file says otherwise. */
function namedReach(hostname: string): Reach {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return reachOf(host)
  return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : 'public'
}

/** Whether a name may have this address: a name that is public today may lead inward tomorrow. */
export function mayReach({ reach }: Target, address: string): boolean {
  const found = reachOf(address)
  if (reach === 'private') return found !== 'never'
  return found === reach
}
