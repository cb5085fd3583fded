import { postgresAbsence, startPostgres } from './postgres.ts'
import { redisAbsence, startRedis } from './redis.ts'
import type { TestServer } from './server.ts'

/** A server that tests can start, and cut the connections of. */
export interface ServerForTests {
  /** Why it cannot be started here; undefined if it can. */
  readonly absence: string | undefined
  /** A server of the caller's own, which need not survive a crash of the machine. */
  start(): Promise<TestServer & { cut(): Promise<void> }>
}

/** The server of each shared member of a family, by the member's name. */
export const servers: { readonly [name: string]: ServerForTests } = {
  postgres: { absence: postgresAbsence, start: () => startPostgres({ fsync: false }) },
  redis: { absence: redisAbsence, start: startRedis },
}
