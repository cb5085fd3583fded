import type { Agent } from '@millrace/server/run/agent'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterEach, beforeAll } from 'vitest'
import { sharedBrowser } from '../../proofs/open-browser.ts'
import { type Mill, startMill } from './mill.ts'

/** What the tests of one process share: a browser. What one test opens is closed after it. */
export interface Session {
  openContext(options?: BrowserContextOptions): Promise<BrowserContext>
  startMill(agents: readonly Agent[], options?: Parameters<typeof startMill>[2]): Promise<Mill>
}

/** The app may have to be built first. */
const PREPARING_MS = 120_000

/** Call it within a `describe`. The app is what the mills serve. */
export function useSession(app: () => Promise<string>): Session {
  const open: { close(): Promise<void> }[] = []
  let browser: Browser
  let appFolder: string

  beforeAll(async () => {
    appFolder = await app()
    browser = await sharedBrowser()
  }, PREPARING_MS)
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close()
  })

  function kept<Closable extends { close(): Promise<void> }>(closable: Closable): Closable {
    open.push(closable)
    return closable
  }

  return {
    openContext: async (options = {}) =>
      kept(await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })),
    startMill: async (agents, options = {}) => kept(await startMill(agents, appFolder, options)),
  }
}
