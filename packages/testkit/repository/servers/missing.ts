// Prints why each server that is missing is, and exits with 1 if one is.

import { postgresAbsence } from './postgres.ts'
import { redisAbsence } from './redis.ts'

const absences = [postgresAbsence, redisAbsence].filter((absence) => absence !== undefined)
for (const absence of absences) console.error(`millrace: ${absence}; the tests that need it are skipped.`)
process.exitCode = absences.length === 0 ? 0 : 1
