import { types } from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type ClientClass, createSession } from './session.ts'

const ASK = { name: 'ask', text: 'SELECT 1' }

/** Connections of which the first answers nothing once it is made, until it is destroyed. */
function clientsOf(): ClientClass {
  let made = 0
  class FakeClient {
    readonly silence = Promise.withResolvers<never>()
    readonly isSilent = made++ === 0
    readonly connection = { stream: { destroy: () => this.silence.reject(new Error('destroyed')) } }
    on() {
      return this
    }
    async connect() {
      return undefined
    }
    query() {
      return this.isSilent ? this.silence.promise : Promise.resolve({ rows: [{ answer: 1 }] })
    }
    async end() {
      return undefined
    }
  }
  return FakeClient as unknown as ClientClass
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('a connection that falls silent while it is being made is given up after a few seconds', async () => {
  const session = createSession(clientsOf(), types, { url: 'postgres://localhost/none', name: 'test' })
  const [first, second] = [session.once(ASK), session.once(ASK)]
  first.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(6_000)
  await expect(first).rejects.toThrow('destroyed')
  expect(await second).toEqual([{ answer: 1 }])
})
