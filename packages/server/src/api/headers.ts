const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const

/** Headers of API responses: they are never rendered as a page and never cached. */
export const apiHeaders = {
  ...everywhere,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'no-store',
} as const

/** Headers of the app's files: the app loads only its own resources. */
export const pageHeaders = {
  ...everywhere,
  // Host names in links that an agent wrote are not resolved before a click.
  'x-dns-prefetch-control': 'off',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // A frame in the app has this policy besides its own: the style sheets of a report that an agent wrote are in addresses. Nothing is
    // inline.
    "style-src 'self' data:",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "media-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const

/** Headers that say what the client should send instead, by the status of the refusal. */
export const remedies: { readonly [status: number]: { readonly [name: string]: string } } = {
  401: { 'www-authenticate': 'Bearer' },
  415: { 'accept-encoding': 'identity' },
}
