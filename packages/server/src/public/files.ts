/** Where the files of a log are kept: its contract, and a member for databases. A folder is the default of the handler. */
export type { FileInfo, Files } from '../files/files.ts'
export { type DatabaseFiles, openDatabaseFiles } from '../files/postgres.ts'
