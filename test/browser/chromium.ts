import { describe } from 'vitest'
import { absence } from '../../proofs/open-browser.ts'

/** Declares tests that need a browser. Without one they are skipped, with the reason in their name. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(absence !== undefined)(absence === undefined ? name : `${name}: skipped, ${absence}`, tests)
}
