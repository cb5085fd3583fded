const WEB = /^https?:\/\//i

/** A link that may be followed: web and mail only, so no script, no data and no path into the page itself. */
export function safeLink(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const trimmed = url.trim()
  return WEB.test(trimmed) || /^mailto:/i.test(trimmed) ? trimmed : undefined
}

export function safeImage(url: string | undefined): string | undefined {
  return url !== undefined && WEB.test(url.trim()) ? url.trim() : undefined
}

/** As the server names stored files: one segment, no character that a browser drops or decodes. */
const STORED_FILE = /^\/api\/files\/[A-Za-z0-9_-]{1,200}$/

/** A stored file of this server, or a link out. Any other path stays text: it is an address that the agent chose. */
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

/** What every link out of a thread carries: the other page learns nothing and reaches nothing. */
export const outward = { target: '_blank', rel: 'noreferrer noopener', referrerPolicy: 'no-referrer' } as const
