import type { PageClient } from '../contract.ts'

/** The agent and the thread that the page's address names. */
const query = new URLSearchParams(location.search)
export const agent = query.get('agent') ?? ''
export const threadId = query.get('thread') ?? ''

/** From now on the page can be driven. */
export function offer(client: PageClient): void {
  Object.assign(globalThis, { client })
}
