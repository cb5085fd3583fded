import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
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

/** The port at which processes of one run ask for shared servers, and the secret that they send with the request. */
const ADDRESS = 'MILLRACE_TEST_SERVERS'

/** A PostgreSQL that all tests of a run share: use a database of your own, and never stop it. */
export const sharedPostgres = async ({ fsync = true } = {}): Promise<PostgresAccess> =>
  accessPostgres(await askFor(fsync ? 'postgres' : 'postgres without fsync'))

/** A Redis that all tests of a run share: use a prefix of your own, and never stop or cut it. */
export const sharedRedis = async (): Promise<RedisAccess> => accessRedis(await askFor('redis'))

/** The URL of a server, which the first request for it starts. */
async function askFor(kind: SharedKind): Promise<string> {
  const [port, secret] = process.env[ADDRESS]?.split(' ') ?? []
  if (port === undefined)
    throw new Error('Only tests that vitest runs share servers; any other process starts its own.')
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.end(JSON.stringify({ kind, secret }))
  const { url, error } = JSON.parse(await text(socket)) as { readonly url?: string; readonly error?: string }
  if (url === undefined) throw new Error(error)
  return url
}

/** Lets this process and those that it starts share servers, until the returned function is called. Starts none itself. */
export async function shareServers(): Promise<() => Promise<void>> {
  const secret = randomUUID()
  const started = new Map<string, Promise<TestServer>>()

  async function answer(socket: Socket): Promise<void> {
    const asked = JSON.parse(await text(socket)) as { readonly kind: SharedKind; readonly secret: string }
    if (asked.secret !== secret) throw new Error('A stranger asks.')
    const server = started.get(asked.kind) ?? starts[asked.kind]()
    started.set(asked.kind, server)
    const reply = await server.then(({ url }) => ({ url })).catch((error: unknown) => ({ error: String(error) }))
    socket.end(JSON.stringify(reply))
  }

  const broker = createServer({ allowHalfOpen: true }, (socket) => {
    // A test that ended before it had its answer needs none.
    socket.on('error', () => undefined)
    answer(socket).catch(() => socket.destroy())
  })
  broker.listen(0, '127.0.0.1')
  await once(broker, 'listening')
  process.env[ADDRESS] = `${(broker.address() as AddressInfo).port} ${secret}`
  return async () => {
    broker.close()
    for (const server of await Promise.allSettled(started.values())) {
      if (server.status === 'fulfilled') await server.value[Symbol.asyncDispose]()
    }
  }
}
