import { storedFileId } from '@millrace/core/api'

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

/** A stored file of this server, or an external link. Any other path stays text: the agent chose it. */
export function safeFileLink(url: string | undefined): string | undefined {
  return storedFileId(url) !== undefined ? url : safeLink(url)
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
