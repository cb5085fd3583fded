const WEB = /^https?:\/\//i

/** The link if it is safe: web and mail only, so no script, no data and no path into the page itself. */
export function safeLink(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const trimmed = url.trim()
  return WEB.test(trimmed) || /^mailto:/i.test(trimmed) ? trimmed : undefined
}

export function safeImage(url: string | undefined): string | undefined {
  return url !== undefined && WEB.test(url.trim()) ? url.trim() : undefined
}

/** The paths of stored files: one segment, no character that a browser drops or decodes. */
const STORED_FILE = /^\/api\/files\/[A-Za-z0-9_-]{1,200}$/

/** A stored file of this server, or an external link. Any other path stays text: the agent chose it. */
export function safeFileLink(url: string | undefined): string | undefined {
  return url !== undefined && STORED_FILE.test(url) ? url : safeLink(url)
}

export function hostOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^www\./, '')
  } catch {
    return ''
  }
}

/** The attributes of every external link: the other page gets no referrer and no access to this one. */
export const externalLinkProps = {
  target: '_blank',
  rel: 'noreferrer noopener',
  referrerPolicy: 'no-referrer',
} as const
