/** Tests a log. */
export { type LogSuiteOptions, logSuite } from '../log-suite.ts'
export type { MemberLocation } from '../member-location.ts'
