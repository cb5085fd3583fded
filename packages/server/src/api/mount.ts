import type { IncomingMessage } from 'node:http'

/** The path that a host keeps for us, without a slash at its end; empty at the root. Throws where it is none. */
export function checkedBasePath(basePath: string): string {
  const trimmed = basePath.replace(/\/$/, '')
  const isPath = /^(?:\/[\w~.-]+)*$/.test(trimmed) && !/\/\.\.?(?:\/|$)/.test(trimmed)
  if (!isPath) throw new Error(`"${basePath}" is no base path: it looks like "/agents", with no signs to be encoded.`)
  return trimmed
}

/** What of a path lies below the base path, such as `/api/threads`; nothing where it lies elsewhere. */
export function pathBelow(basePath: string, path: string): string | undefined {
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined
}

/** Express and its kin cut off the path that they have mounted us at; the address is needed as the client gave it. */
export function restoreAddress(request: IncomingMessage): void {
  const { originalUrl } = request as { readonly originalUrl?: unknown }
  if (typeof originalUrl === 'string') request.url = originalUrl
}
