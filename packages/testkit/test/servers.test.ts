import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { accessPostgres, postgresAbsence, startPostgres } from '../repository/servers/postgres.ts'
import { accessRedis, redisAbsence, startRedis } from '../repository/servers/redis.ts'
import { sharedPostgres, sharedRedis } from '../repository/servers/shared.ts'

/** Runs the body if there is such a server, else lists the test with the reason. */
function withServer(absence: string | undefined, name: string, body: () => Promise<void>): void {
  if (absence === undefined) it(name, body)
  else it.skip(`${name}: ${absence}`)
}

describe('the servers of the tests', () => {
  withServer(
    postgresAbsence,
    'a PostgreSQL keeps its data and its address when it is stopped and started',
    async () => {
      await using server = await startPostgres()
      const database = await server.createDatabase()
      await server.query("CREATE TABLE kept AS SELECT 'as it was' AS state", database)
      await server.stop()
      await expect(server.query('SELECT 1')).rejects.toThrow()
      await server.start()
      expect(await server.query('SELECT * FROM kept; SHOW fsync', database)).toBe('as it was\non')
    },
  )

  withServer(postgresAbsence, 'a shared PostgreSQL is the same for all, with a database for each', async () => {
    const servers = await Promise.all([sharedPostgres({ fsync: false }), sharedPostgres({ fsync: false })])
    const [one = '', other = ''] = await Promise.all(servers.map((server) => server.createDatabase()))
    expect(servers[0]?.url).toBe(servers[1]?.url)
    const access = accessPostgres(one)
    await access.query('CREATE TABLE own (id int)')
    await expect(access.query('TABLE own', other)).rejects.toThrow(/does not exist/)
    expect(await access.query('SHOW fsync')).toBe('off')
  })

  withServer(redisAbsence, 'a Redis answers again when it was stopped and started, and is empty', async () => {
    await using server = await startRedis()
    expect(await server.command('SET key value')).toBe('+OK')
    await server.stop()
    await server.start()
    expect(await server.command('EXISTS key')).toBe(':0')
  })

  withServer(redisAbsence, 'a shared Redis is the same for all, and refuses those without the password', async () => {
    const [one, other] = await Promise.all([sharedRedis(), sharedRedis()])
    expect(one.url).toBe(other.url)
    const stranger = accessRedis(Object.assign(new URL(one.url), { password: 'wrong' }).href)
    expect(await stranger.command('PING')).toMatch(/NOAUTH/)
  })

  withServer(
    redisAbsence,
    'a server and its folder are gone after the process that started it was killed',
    async () => {
      const module = fileURLToPath(new URL('../repository/servers/redis.ts', import.meta.url))
      const program = `
      const { startRedis } = await import(${JSON.stringify(module)})
      const server = await startRedis()
      console.log(JSON.stringify([server.url, server.folder]))`
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = await once(createInterface({ input: child.stdout }), 'line')
      const [url, folder] = JSON.parse(line) as readonly [string, string]
      const server = accessRedis(url)
      expect(await server.command('PING')).toBe('+PONG')
      child.kill('SIGKILL')
      const isGone = () =>
        server.command('PING').then(
          () => false,
          () => true,
        )
      for (let round = 0; round < 200 && existsSync(folder); round++) await setTimeout(25)
      expect(existsSync(folder)).toBe(false)
      expect(await isGone()).toBe(true)
    },
  )
})
