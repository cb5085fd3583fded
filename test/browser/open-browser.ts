import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACE = process.env.MILLRACE_CHROMIUM ?? '/usr/bin/chromium'

/** Why there is no browser here, for the names of tests that need one; nothing where there is. */
export const absence = existsSync(PLACE) ? undefined : `there is no browser at ${PLACE}`

/** The system's Chromium, without a window and without anything that it would do by itself. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: PLACE,
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
