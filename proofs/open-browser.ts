import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROMIUM = process.env.MILLRACE_CHROMIUM ?? '/usr/bin/chromium'

/** Why there is no browser, for the names of tests that need one; undefined if there is one. */
export const absence = existsSync(CHROMIUM) ? undefined : `there is no browser at ${CHROMIUM}`

/** The system's Chromium, without a window and without background requests. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
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
  })
}
