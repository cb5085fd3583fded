import { join } from 'node:path'
import { type PostgresAccess, startPostgres } from '@millrace/testkit/repository/servers/postgres'
import { type RedisAccess, startRedis } from '@millrace/testkit/repository/servers/redis'
import type { TestServer } from '@millrace/testkit/repository/servers/server'
import { type Address, type ServerProcess, type Store, startServer, withFolder } from '../server-process.ts'
import { LEASE_TTL, newToken } from '../stores.ts'
import { createDatabaseGate, type DatabaseGate } from './gate.ts'
import { type History, watchHistory } from './history.ts'

/** Servers that share a database, and everything that can be done to them. */
export interface Cluster {
  readonly postgres: TestServer & PostgresAccess
  /** Absent if PostgreSQL wakes the servers. */
  readonly redis: (TestServer & RedisAccess) | undefined
  /** Two, which are always there. */
  readonly nodes: readonly [ClusterNode, ClusterNode]
  /** One more, which is not started yet. */
  readonly third: ClusterNode
  readonly history: History
  /** To the database itself. */
  readonly databaseUrl: string
}

export interface ClusterNode {
  readonly name: string
  readonly gate: DatabaseGate
  /** The same after each start. */
  address(): Address
  process(): ServerProcess
  start(): Promise<void>
}

/** A run may be without its producer for longer than anything is away. */
const PATIENCE = { stallAfter: 30_000, heartbeat: 300, resumeWithin: 15_000 }

/** The two servers start at once, on an empty database. */
export async function withCluster<Result>(
  hasRedis: boolean,
  act: (cluster: Cluster) => Promise<Result>,
): Promise<Result> {
  await using postgres = await startPostgres()
  await using redis = hasRedis ? await startRedis() : undefined
  const databaseUrl = await postgres.createDatabase()
  const redisUrl = redis?.url
  const shared = { leaseTtl: LEASE_TTL, token: newToken(), ...(redisUrl !== undefined && { redisUrl }) }
  return await withFolder(async (folder) => {
    const open = (name: string) => createNode(name, databaseUrl, (url) => storeOf(join(folder, name), url, shared))
    const [one, other, third] = [await open('one'), await open('other'), await open('third')]
    try {
      await Promise.all([one.start(), other.start()])
      await using history = await watchHistory(databaseUrl)
      return await act({ postgres, redis, nodes: [one, other], third, history, databaseUrl })
    } finally {
      for (const node of [one, other, third]) await node.end()
    }
  })
}

const storeOf = (
  data: string,
  databaseUrl: string,
  shared: Omit<NonNullable<Store['shared']>, 'databaseUrl'>,
): Store => ({
  data,
  shared: { ...shared, databaseUrl },
})

async function createNode(name: string, databaseUrl: string, storeAt: (url: string) => Store) {
  const gate = await createDatabaseGate(databaseUrl)
  const store = storeAt(gate.url)
  let server: ServerProcess | undefined
  const current = () => {
    if (server === undefined) throw new Error(`Node "${name}" was not started.`)
    return server
  }
  return {
    name,
    gate,
    address: () => ({ port: current().port, token: current().token }),
    process: current,
    async start() {
      server = await startServer(store, server?.port ?? 0, PATIENCE)
    },
    async end() {
      await server?.kill()
      await gate[Symbol.asyncDispose]()
    },
  } satisfies ClusterNode & { end(): Promise<void> }
}
