/** Tests a log. */
export type { MemberLocation } from '../log-restart.ts'
export { type LogSuiteOptions, logSuite } from '../log-suite.ts'
