import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { accessPostgres, type PostgresAccess, startPostgres } from './postgres.ts'
import { accessRedis, type RedisAccess, startRedis } from './redis.ts'
import type { TestServer } from './server.ts'

const starts = {
  postgres: () => startPostgres(),
  'postgres without fsync': () => startPostgres({ fsync: false }),
  redis: startRedis,
} as const satisfies { readonly [kind: string]: () => Promise<TestServer> }

type SharedKind = keyof typeof starts

/** The socket at which processes of one run ask for shared servers. */
const ADDRESS = 'MILLRACE_TEST_SERVERS'

/** A PostgreSQL that all tests of a run share: use a database of your own, and never stop it. */
export const sharedPostgres = async ({ fsync = true } = {}): Promise<PostgresAccess> =>
  accessPostgres(await askFor(fsync ? 'postgres' : 'postgres without fsync'))

/** A Redis that all tests of a run share: use a prefix of your own, and never stop or cut it. */
export const sharedRedis = async (): Promise<RedisAccess> => accessRedis(await askFor('redis'))

/** The URL of a server, which the first request for it starts. */
async function askFor(kind: SharedKind): Promise<string> {
  const path = process.env[ADDRESS]
  if (path === undefined)
    throw new Error('Only tests that vitest runs share servers; any other process starts its own.')
  const socket = connect(path)
  await once(socket, 'connect')
  socket.end(kind)
  const { url, error } = JSON.parse(await text(socket)) as { readonly url?: string; readonly error?: string }
  if (url === undefined) throw new Error(error)
  return url
}

/** Lets this process and those that it starts share servers, until the returned function is called. Starts none itself. */
export async function shareServers(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-servers-'))
  const started = new Map<string, Promise<TestServer>>()

  async function answer(socket: Socket): Promise<void> {
    const kind = (await text(socket)) as SharedKind
    const server = started.get(kind) ?? starts[kind]()
    started.set(kind, server)
    const reply = await server.then(({ url }) => ({ url })).catch((error: unknown) => ({ error: String(error) }))
    socket.end(JSON.stringify(reply))
  }

  const broker = createServer({ allowHalfOpen: true }, (socket) => {
    // A test that ended before it had its answer needs none.
    answer(socket).catch(() => socket.destroy())
  })
  broker.listen(join(folder, 'socket'))
  await once(broker, 'listening')
  process.env[ADDRESS] = join(folder, 'socket')
  return async () => {
    broker.close()
    for (const server of await Promise.allSettled(started.values())) {
      if (server.status === 'fulfilled') await server.value[Symbol.asyncDispose]()
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
