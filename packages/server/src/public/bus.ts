/** What tells all processes that something has changed: its contract, its members, and how to write one. */
export type * from '../bus/bus.ts'
export { BusError, type BusErrorCode } from '../bus/errors.ts'
export { type BusName, buses, getBus } from '../bus/index.ts'
