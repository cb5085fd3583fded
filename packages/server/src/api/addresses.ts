/** Why a value cannot be used as a part of the server's address, or undefined. The setting's name goes before each sentence. */

/** An origin as browsers send it: scheme, host, and a port unless it is the scheme's own. */
export function originProblem(origin: string): string | undefined {
  if (origin === '*') return 'may not be "*": every page of the web could ask. Name each origin.'
  const expected = 'must be an exact origin, such as "https://app.example.com" or "http://localhost:5173"'
  const sent = /^https?:/i.test(origin) ? URL.parse(origin)?.origin : schemeAndHost(origin)
  if (sent === undefined) return `${expected}, not ${JSON.stringify(origin)}.`
  return sent === origin ? undefined : `${expected}, not ${JSON.stringify(origin)}; a browser sends "${sent}".`
}

/** Shells for desktops and phones have schemes of their own, whose origins URLs do not know. */
function schemeAndHost(origin: string): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/[a-z\d.-]+(?::\d{1,5})?$/.exec(origin)?.[0]
}

export function hostNameProblem(name: string): string | undefined {
  if (/^(?:\[[0-9a-f:.]+\]|[a-z\d._-]+)$/i.test(name)) return undefined
  const expected = 'must be a host name without scheme, port and path, such as "chat.example.com"'
  return `${expected}, not ${JSON.stringify(name)}.`
}

export function basePathProblem(basePath: string): string | undefined {
  const trimmed = trimmedBasePath(basePath)
  if (/^(?:\/[\w~.-]+)*$/.test(trimmed) && !/\/\.\.?(?:\/|$)/.test(trimmed)) return undefined
  return `must be a path such as "/agents", without characters to be encoded, not ${JSON.stringify(basePath)}.`
}

/** Without a slash at its end; empty at the root. */
export const trimmedBasePath = (basePath: string): string => basePath.replace(/\/$/, '')
