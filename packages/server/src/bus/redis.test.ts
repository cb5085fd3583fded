import { randomUUID } from 'node:crypto'
import { redisAbsence } from '@millrace/testkit/repository/servers/redis'
import { sharedRedis } from '@millrace/testkit/repository/servers/shared'
import { describe, expect, it, vi } from 'vitest'
import { redis } from './redis.ts'

describe('the bus of Redis', () => {
  it.skipIf(redisAbsence !== undefined)(
    `follows a channel only while somebody listens${why(redisAbsence)}`,
    async () => {
      const { url, command } = await sharedRedis()
      const scope = randomUUID()
      const channels = () => command(`PUBSUB CHANNELS ${scope}:*`)
      const bus = await redis.open({ url, scope, report: () => undefined })
      try {
        const stops = ['run:1', 'run:1', 'run:2'].map((topic) => bus.subscribe(topic, () => undefined))
        await bus.ready()
        expect(await channels()).toBe('*2')
        stops[0]?.()
        await bus.ready()
        expect(await channels()).toBe('*2')
        for (const stop of stops) stop()
        await vi.waitFor(async () => expect(await channels()).toBe('*0'))
      } finally {
        await bus.close()
      }
    },
  )

  it('refuses a URL whose parts are not valid', async () => {
    for (const url of ['redis://:secret@127.0.0.1/name', 'redis://%zz:secret@127.0.0.1', 'unix:///secret']) {
      const refusal = await redis.open({ url, report: () => undefined }).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ code: 'wrong-url', message: expect.not.stringContaining('secret') })
    }
  })
})

function why(absence: string | undefined): string {
  return absence === undefined ? '' : `: ${absence}`
}
