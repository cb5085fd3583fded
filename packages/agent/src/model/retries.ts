/** How often a request is repeated whose answer has not begun. */
export const MOST_RETRIES = 2

/** The longest wait that a provider may ask for, in ms. A longer one is an error at once: a person decides. */
const LONGEST_WAIT = 60_000

const FIRST_WAIT = 500

/** Requests that came too early or at a bad time. 529 is Anthropic's “overloaded”. */
export const isWorthRepeating = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** How long to wait before the next attempt, in ms; undefined if the provider asks for too long. */
export function waitBefore(retry: number, headers: Headers | undefined, now = Date.now()): number | undefined {
  const asked = headers === undefined ? undefined : askedWait(headers, now)
  if (asked !== undefined) return asked <= LONGEST_WAIT ? Math.max(0, asked) : undefined
  // Clients that failed together do not come back together.
  return FIRST_WAIT * 2 ** (retry - 1) * (0.75 + Math.random() / 2)
}

/** `Retry-After` is a number of seconds or a date; two vendors also send milliseconds. */
function askedWait(headers: Headers, now: number): number | undefined {
  const exact = headers.get('retry-after-ms')
  if (exact !== null && /^\d+(?:\.\d+)?$/.test(exact)) return Number(exact)
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : date - now
}
