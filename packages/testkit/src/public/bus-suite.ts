/** Tests a bus. */
export type { BusServer } from '../bus-bench.ts'
export { type BusSuiteOptions, busSuite } from '../bus-suite.ts'
export type { MemberLocation } from '../member-location.ts'
