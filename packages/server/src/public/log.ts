/** The durable log: its contract, its members, and how to write one. */
export { EntryLines } from '../log/entry-lines.ts'
export { LogError, type LogErrorCode } from '../log/errors.ts'
export { getLog, type LogName, logs } from '../log/index.ts'
export type * from '../log/log.ts'
export { memory } from '../log/memory.ts'
export { postgres } from '../log/postgres.ts'
export { sqlite } from '../log/sqlite.ts'
