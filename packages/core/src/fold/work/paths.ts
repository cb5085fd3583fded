/** One spelling of a path: slashes, without `.`, `..` and an address's scheme, and joined to its folder if it is relative. */
export function pathKey(path: string, folder: string | undefined): string {
  const given = path.replace(/^file:\/\//, '').replaceAll('\\', '/')
  const isWhole = given.startsWith('/') || /^[A-Za-z]:\//.test(given) || folder === undefined
  const parts: string[] = []
  const whole = isWhole ? given : `${folder.replaceAll('\\', '/')}/${given}`
  for (const part of whole.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return `${whole.startsWith('/') ? '/' : ''}${parts.join('/')}`
}

/** A path as a person reads it: below the folder in which the agent works, it is relative. */
export function shownPath(key: string, folder: string | undefined): string {
  const prefix = folder === undefined ? undefined : `${pathKey(folder, undefined)}/`
  return prefix !== undefined && prefix !== '/' && key.startsWith(prefix) ? key.slice(prefix.length) : key
}
