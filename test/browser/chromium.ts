import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { describe } from 'vitest'

const CHROMIUM = process.env.MILLRACE_CHROMIUM ?? '/usr/bin/chromium'

const absence = existsSync(CHROMIUM) ? undefined : `there is no browser at ${CHROMIUM}`

/** Declares tests that need a browser. Where there is none they are skipped, and their name says why. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(absence !== undefined)(absence === undefined ? name : `${name}: skipped, ${absence}`, tests)
}

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
