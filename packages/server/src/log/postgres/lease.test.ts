import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Connections } from './connections.ts'
import { createLeases } from './lease.ts'
import type { Statement } from './session.ts'

const TTL = 6_000

/** A database whose answers to renewals the test decides. */
function openLeases() {
  const database = {
    renews: true,
    answers: true,
    writes: true,
    asked: [] as string[],
    joined: [] as unknown[],
    expiredSessions: [] as string[],
    delay: 0,
    joinDelays: [] as number[],
  }
  async function answer<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    database.asked.push(statement.name)
    if (statement.name === 'bury') return database.expiredSessions.map((session) => ({ session })) as Row[]
    if (statement.name === 'join') database.joined.push(values[0])
    if (statement.name === 'join') await vi.advanceTimersByTimeAsync(database.joinDelays.shift() ?? 0)
    if (statement.name !== 'renew') return []
    if (database.delay > 0) await vi.advanceTimersByTimeAsync(database.delay)
    if (!database.answers) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
    return database.renews ? (values[0] as string[]).map((id) => ({ id }) as Row) : []
  }
  const connections = {
    name: 'own',
    lease: { once: answer, query: answer },
    write: <Row>(_key: string, statement: Statement, values?: readonly unknown[]) =>
      database.writes ? answer<Row>(statement, values) : new Promise<Row[]>(() => undefined),
  } as unknown as Connections
  return { database, leases: createLeases({ connections, ttl: TTL, onBuried: () => undefined }) }
}

const fencedCode = (leases: ReturnType<typeof openLeases>['leases'], epoch = 1) => {
  try {
    leases.checkFence('r', epoch)
    return 'free'
  } catch (error) {
    return (error as { code: string }).code
  }
}

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'Date', 'performance'],
    }),
)
afterEach(() => void vi.useRealTimers())

describe('a lease', () => {
  it('is renewed every third of its time, for as long as the node stays', async () => {
    const { database, leases } = openLeases()
    const onLost = vi.fn()
    leases.own('r', 1, await leases.join(onLost))
    await vi.advanceTimersByTimeAsync(10 * TTL)
    expect(database.asked.filter((name) => name === 'renew')).toHaveLength(30)
    expect([fencedCode(leases), onLost.mock.calls.length]).toEqual(['free', 0])
  })

  it('is lost when a renewal finds it ended, and its runs are written no more', async () => {
    const { database, leases } = openLeases()
    const onLost = vi.fn()
    leases.own('r', 1, await leases.join(onLost))
    leases.own('other', 1, 'of another process')
    database.renews = false
    await vi.advanceTimersByTimeAsync(TTL / 3 - 1)
    expect(fencedCode(leases)).toBe('free')
    await vi.advanceTimersByTimeAsync(1)
    expect([fencedCode(leases), onLost.mock.calls.length]).toEqual(['stale-owner', 1])
    expect(fencedCode(leases, 2)).toBe('free')
    leases.checkFence('other', 1)
    database.renews = true
    await vi.advanceTimersByTimeAsync(5 * TTL)
    expect([fencedCode(leases), onLost.mock.calls.length]).toEqual(['stale-owner', 1])
  })

  it('fences itself a second before it ends, counted from when the last renewal was sent', async () => {
    const { database, leases } = openLeases()
    const onLost = vi.fn()
    leases.own('r', 1, await leases.join(onLost))
    await vi.advanceTimersByTimeAsync(TTL / 3)
    database.answers = false
    await vi.advanceTimersByTimeAsync(TTL - 1_000 - 1)
    expect([fencedCode(leases), onLost.mock.calls.length]).toEqual(['free', 0])
    await vi.advanceTimersByTimeAsync(1)
    expect([fencedCode(leases), onLost.mock.calls.length]).toEqual(['stale-owner', 1])
  })

  it('is not kept by a renewal whose answer took too long', async () => {
    const { leases } = openLeases()
    const onLost = vi.fn()
    leases.own('r', 1, await leases.join(onLost))
    await vi.advanceTimersByTimeAsync(TTL / 3)
    // Sent at the last renewal: the answer's own time adds nothing.
    await vi.advanceTimersByTimeAsync(TTL / 3 - 1)
    expect(fencedCode(leases)).toBe('free')
    vi.setSystemTime(Date.now() + TTL)
    expect(fencedCode(leases)).toBe('stale-owner')
  })

  it('is not lost by a node that leaves: others may finish what it began', async () => {
    const { database, leases } = openLeases()
    const onLost = vi.fn()
    const nodeId = await leases.join(onLost)
    leases.own('r', 1, nodeId)
    await leases.leave(nodeId)
    await vi.advanceTimersByTimeAsync(5 * TTL)
    expect([fencedCode(leases), onLost.mock.calls.length]).toEqual(['free', 0])
    expect(database.asked).toEqual(['join', 'leave'])
  })

  it('is granted and renewed although no other statement gets through', async () => {
    const { database, leases } = openLeases()
    database.writes = false
    const onLost = vi.fn()
    leases.own('r', 1, await leases.join(onLost))
    await vi.advanceTimersByTimeAsync(10 * TTL)
    expect([fencedCode(leases), onLost.mock.calls.length]).toEqual(['free', 0])
  })

  it('is asked for again, under another id, if it has ended before its answer came', async () => {
    const { database, leases } = openLeases()
    database.joinDelays = [TTL, TTL - 1_000]
    const onLost = vi.fn()
    leases.own('r', 1, await leases.join(onLost))
    expect(database.joined).toHaveLength(3)
    expect(new Set(database.joined).size).toBe(3)
    await vi.advanceTimersByTimeAsync(10 * TTL)
    expect([fencedCode(leases), onLost.mock.calls.length]).toEqual(['free', 0])
  })

  it('is not asked for without end', async () => {
    const { database, leases } = openLeases()
    database.joinDelays = Array.from({ length: 9 }, () => TTL)
    await expect(leases.join(() => undefined)).rejects.toMatchObject({ code: 'log-failed' })
    expect(database.joined).toHaveLength(5)
  })

  it('is looked for by one statement for all who ask while another is under way', async () => {
    const { database, leases } = openLeases()
    const first = leases.bury()
    await Promise.resolve()
    await Promise.resolve()
    expect(database.asked).toEqual(['bury'])
    await Promise.all([first, ...Array.from({ length: 20 }, () => leases.bury())])
    expect(database.asked).toEqual(['bury', 'bury'])
    await leases.bury()
    expect(database.asked).toEqual(['bury', 'bury', 'bury'])
  })

  it('ends the connections of those it buries, never its own', async () => {
    const { database, leases } = openLeases()
    await leases.bury()
    expect(database.asked).toEqual(['bury'])
    database.expiredSessions = ['own']
    await leases.bury()
    expect(database.asked).not.toContain('terminate')
    database.expiredSessions = ['other', 'own']
    await leases.bury()
    expect(database.asked).toContain('terminate')
  })
})
