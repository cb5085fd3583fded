import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Connection, createLink } from './link.ts'

/** A link to a server that the test decides about. */
function createBench(state: { readonly isThere?: boolean; readonly opens?: boolean } = {}) {
  const attempts: number[] = []
  const downs: string[] = []
  const server = { isThere: true, answers: true, opens: true, ...state }
  const counts = { ups: 0, steadies: 0, ends: 0 }
  let lose: (error: unknown) => void = () => undefined
  const never = new Promise<never>(() => undefined)

  function connect(lost: (error: unknown) => void): Connection {
    attempts.push(performance.now())
    lose = lost
    return {
      opened: !server.opens ? never : server.isThere ? Promise.resolve() : Promise.reject(new Error('refused')),
      check: () => (server.answers ? Promise.resolve() : never),
      async end() {
        counts.ends++
      },
    }
  }

  const link = createLink({
    connect,
    prepare: () => undefined,
    onUp: () => void counts.ups++,
    onDown: (error) => void downs.push((error as Error).message),
    onSteady: () => void counts.steadies++,
  })
  return { link, server, counts, downs, attempts, lose: (error: unknown) => lose(error) }
}

describe('a link', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it('tries again for ever, first soon and then after at most five seconds', async () => {
    const { link, server, attempts, counts } = createBench({ isThere: false })
    await pass(3_600_000)
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] as number))
    expect(pauses[0]).toBeLessThanOrEqual(50)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5_001)
    expect(pauses.length).toBeGreaterThan(700)
    expect(pauses.length).toBeLessThan(1_500)
    server.isThere = true
    await pass(5_001)
    expect(link.isUp).toBe(true)
    expect(counts).toMatchObject({ ups: 1, ends: attempts.length - 1 })
    await link.close()
  })

  it('is steady once a connection has lasted, and only then begins with short pauses again', async () => {
    const { link, counts, lose, attempts } = createBench()
    for (let round = 0; round < 20; round++) {
      await pass(0)
      lose(new Error('cut'))
      await pass(4_999)
    }
    expect(counts.steadies).toBe(0)
    await pass(10_000)
    expect(counts.steadies).toBe(1)
    const before = attempts.length
    lose(new Error('cut'))
    await pass(51)
    expect(attempts.length).toBe(before + 1)
    await link.close()
  })

  it('takes a server that does not answer for lost', async () => {
    const { link, server, downs } = createBench()
    await pass(60_000)
    expect(downs).toEqual([])
    server.answers = false
    await pass(15_000)
    expect(downs).toEqual(['The server has not answered within 5 s.'])
    await link.close()
  })

  it('gives a connection up that does not open', async () => {
    const { link, downs, counts } = createBench({ opens: false })
    await pass(10_001)
    expect(downs).toEqual(['The server has not answered within 10 s.'])
    expect(counts.ends).toBe(1)
    await link.close()
  })

  const states = { 'while it opens': { opens: false }, 'in a pause': { isThere: false }, 'while it is up': {} }
  for (const [when, state] of Object.entries(states)) {
    it(`ends its connection and waits for nothing when it is closed ${when}`, async () => {
      const { link, counts, attempts, downs } = createBench(state)
      await pass(0)
      const before = downs.length
      const waiting = link.isUp ? undefined : link.whenUp()
      await link.close()
      for (const up of [waiting ?? link.whenUp(), link.whenUp()]) {
        await expect(up).rejects.toMatchObject({ code: 'bus-closed' })
      }
      expect(vi.getTimerCount()).toBe(0)
      expect([counts.ends, downs.length]).toEqual([attempts.length, before])
    })
  }

  it('ignores the loss of an earlier connection', async () => {
    const { link, downs } = createBench()
    await pass(0)
    const earlier = link.current as Connection
    link.lose(earlier, new Error('cut'))
    await pass(60)
    link.lose(earlier, new Error('late'))
    await pass(60_000)
    expect(downs).toEqual(['cut'])
    await link.close()
  })
})
