// Prints why each server that is missing is, and exits with 1 if one is.

import { servers } from './index.ts'

const absences = Object.values(servers).flatMap(({ absence }) => absence ?? [])
for (const absence of absences) console.error(`millrace: ${absence}; the tests that need it are skipped.`)
process.exitCode = absences.length === 0 ? 0 : 1
