import { describe } from 'vitest'
import { absence } from './open-browser.ts'

/** Declares tests that need a browser. Where there is none they are skipped, and their name says why. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(absence !== undefined)(absence === undefined ? name : `${name}: skipped, ${absence}`, tests)
}
