import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { startServer, type TestServer } from './server.ts'

/** What a test does with a Redis, its own or a shared one. Keys and channels of tests on a shared one need a prefix. */
export interface RedisAccess {
  readonly url: string
  /** The first line of the reply to a command without spaces in its arguments. */
  command(words: string): Promise<string>
  /** Ends every connection. */
  cut(): Promise<void>
}

const programs = (process.env.PATH ?? '').split(delimiter).find((folder) => existsSync(join(folder, 'redis-server')))

/** Why there is no Redis, for the names of tests that need one; undefined if there is one. */
export const redisAbsence =
  programs === undefined
    ? 'there is no Redis: install it (Debian: `apt-get install redis-server`), or put `redis-server` into PATH'
    : undefined

/** A Redis of the caller's own. It keeps its data in memory alone. */
export async function startRedis(): Promise<TestServer & RedisAccess> {
  if (programs === undefined) throw new Error(redisAbsence)
  const password = randomBytes(16).toString('hex')
  const server = await startServer({
    name: 'redis',
    programs,
    prepare: 'true',
    serve: 'exec "$BIN/redis-server" redis.conf',
    signal: 'KILL',
    files: (port) => ({
      'redis.conf': `port ${port}\nbind 127.0.0.1\nrequirepass ${password}\nsave ""\nappendonly no\n`,
    }),
    url: (port) => `redis://:${password}@127.0.0.1:${port}`,
    answers: (url) =>
      accessRedis(url)
        .command('PING')
        .then(
          (reply) => reply === '+PONG',
          () => false,
        ),
  })
  return Object.assign(server, accessRedis(server.url))
}

export function accessRedis(url: string): RedisAccess {
  const { hostname, port, password } = new URL(url)

  async function command(words: string): Promise<string> {
    const socket = connect(Number(port), hostname)
    try {
      await once(socket, 'connect')
      socket.end(`AUTH ${password}\r\n${words}\r\n`)
      let replies = ''
      for await (const bytes of socket) replies += bytes
      return replies.split('\r\n')[1] ?? ''
    } finally {
      socket.destroy()
    }
  }

  return {
    url,
    command,
    async cut() {
      for (const type of ['normal', 'pubsub']) await command(`CLIENT KILL TYPE ${type}`)
    },
  }
}
