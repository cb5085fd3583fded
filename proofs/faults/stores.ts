import { randomBytes } from 'node:crypto'
import { startPostgres } from '@millrace/testkit/repository/servers/postgres'
import { type Store, withFolder } from './server-process.ts'

/** Calls `act` with an empty store of its own, and removes it afterwards. */
export type WithStore = <Result>(act: (store: Store) => Promise<Result>) => Promise<Result>

/** How long a lease lasts in the rig, in ms: short, because a round waits for the end of one. */
export const LEASE_TTL = 1_000

export const withFolderStore: WithStore = (act) => withFolder((data) => act({ data }))

/** A PostgreSQL whose commits wait for the disk. */
export const withPostgresStore: WithStore = async (act) => {
  await using server = await startPostgres()
  const databaseUrl = await server.createDatabase()
  return await withFolder((data) => act({ data, shared: { databaseUrl, leaseTtl: LEASE_TTL, token: newToken() } }))
}

export const newToken = (): string => randomBytes(16).toString('hex')
