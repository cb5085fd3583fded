import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROMIUM = process.env.MILLRACE_CHROMIUM ?? '/usr/bin/chromium'

/** Why there is no browser, for the names of tests that need one; undefined if there is one. */
export const absence = existsSync(CHROMIUM) ? undefined : `there is no browser at ${CHROMIUM}`

/** The system's Chromium, without a window and without background requests. */
const options = {
  executablePath: CHROMIUM,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export const openBrowser = (): Promise<Browser> => chromium.launch(options)

let shared: Promise<Browser> | undefined

/**
 * The one browser of a test process: opening another takes longer than most tests. Callers close the pages and contexts
 * that they open; the browser is closed with the process.
 */
export function sharedBrowser(): Promise<Browser> {
  if (shared !== undefined) return shared
  // The test runner ends its processes with this signal. A browser is removed with its files when its process exits.
  process.once('SIGTERM', () => process.exit())
  shared = chromium.launch({ ...options, handleSIGTERM: false })
  return shared
}
