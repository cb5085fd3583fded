import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { sharedPostgres } from '@millrace/testkit/repository/servers/shared'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Bus, BusMember } from '../../bus/bus.ts'
import type { Log, Subject } from '../log.ts'
import { postgres } from '../postgres.ts'
import { sessionAt } from './connections.ts'

const newRun = (id: string) => ({ id, threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 })
const delta = (text: string) => ({ type: 'block-delta', blockId: 'b', text }) as const
const end = { type: 'run-end', outcome: 'success' } as const

/** A bus that a test holds in its hands: messages are noted, and arrive when the test says so. */
function createHand() {
  const sent: { topic: string; message: string }[] = []
  const listeners = new Set<{ topic: string; listener: (message: string) => void }>()
  const bus: Bus = {
    publish: (topic, message) => void sent.push({ topic, message }),
    subscribe(topic, listener) {
      const own = { topic, listener }
      listeners.add(own)
      return () => listeners.delete(own)
    },
    ready: async () => undefined,
    close: async () => undefined,
  }
  const member: BusMember = { largestMessage: 64_000, open: async () => bus }
  const deliver = (topic: string, message: string) => {
    for (const own of [...listeners]) if (own.topic === topic) own.listener(message)
  }
  return { member, sent, listeners, deliver }
}

/** Two logs; nothing reaches the second by the bus unless the test delivers it. */
async function openTwo() {
  const url = await (await sharedPostgres({ fsync: false })).createDatabase()
  const [mute, hand] = [createHand(), createHand()]
  const open = (member: BusMember) => postgres.open({ folder: '', url, bus: { member, url: '' } })
  const [one, other] = [await open(mute.member), await open(hand.member)]
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()])
  })
  await one.createRun(newRun('r'))
  return { one, other, mute, hand }
}

const append = (log: Log, afterSeq: number, ...events: Parameters<Log['append']>[2]['events']) =>
  log.append('r', { epoch: 0, afterSeq }, { inputs: [], events })

const textsOf = (batch: unknown) => JSON.stringify(batch)

/** A listener's calls, awaited one by one. */
function listen(log: Log, subject: Subject) {
  let called = Promise.withResolvers<void>()
  const stop = log.watch(subject, () => called.resolve())
  onTestFinished(stop)
  return async () => {
    await called.promise
    called = Promise.withResolvers()
  }
}

describe.skipIf(postgresAbsence)('a log whose bus is silent', () => {
  it('shows entries of another process within about a second, and the end', async () => {
    const { one, other } = await openTwo()
    const reader = other.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    for (const nth of [0, 1]) {
      const next = reader.next()
      await append(one, nth, delta(`${nth}`))
      expect((await next).value).toMatchObject([{ seq: nth + 1 }])
    }
    const next = reader.next()
    await append(one, 2, end)
    expect((await next).value).toMatchObject([{ seq: 3 }])
    expect((await reader.next()).done).toBe(true)
  }, 20_000)

  it('gives a reader that does not wait all that another process has stored, while a viewer waits', async () => {
    const { one, other } = await openTwo()
    await append(one, 0, delta('0'))
    const viewer = other.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    expect((await viewer.next()).value).toMatchObject([{ seq: 1 }])
    const waiting = viewer.next()
    for (const nth of [1, 2, 3]) {
      await append(one, nth, delta(`${nth}`))
      const whole = other.read('r', { after: nth, live: false })[Symbol.asyncIterator]()
      expect((await whole.next()).value).toMatchObject([{ seq: nth + 1 }])
      expect((await whole.next()).done).toBe(true)
    }
    expect((await waiting).value?.[0]).toMatchObject({ seq: 2 })
  }, 20_000)

  it('rejects the readers of a run that another process has deleted', async () => {
    // The other process may look between the end and the deletion. It has the whole run then, and it is tried again.
    for (let attempt = 1; ; attempt++) {
      const { one, other } = await openTwo()
      await append(one, 0, delta('a'))
      const reader = other.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
      await reader.next()
      const next = reader.next().catch((error: unknown) => error)
      await append(one, 1, end)
      await one.deleteThread('t')
      const found = await next
      if (attempt < 5 && !(found instanceof Error)) continue
      expect(found).toMatchObject({ code: 'unknown-run' })
      return
    }
  }, 60_000)

  it('gives hints of commands, states, threads and the list', async () => {
    const { one, other } = await openTwo()
    const subjects = [{ runId: 'r' }, { threadId: 't' }, 'threads'] as const
    const hints = subjects.map((subject) => listen(other, subject))
    // The first hint of each comes without a change: a watcher may have missed one while it began.
    await Promise.all(hints.map((hint) => hint()))
    const [ofRun, ofThread, ofList] = hints as [() => Promise<void>, () => Promise<void>, () => Promise<void>]
    await one.tell('r', { command: { type: 'stop' } })
    await ofRun()
    await one.renameThread('t', 'Renamed')
    await Promise.all([ofThread(), ofList()])
    await one.acquire('r', await one.join())
    await Promise.all([ofRun(), ofThread(), ofList()])
    await one.append('r', { epoch: 1, afterSeq: 0 }, { inputs: [], events: [end] })
    await Promise.all([ofRun(), ofThread(), ofList()])
    await one.deleteThread('t')
    await Promise.all([ofRun(), ofThread(), ofList()])
  }, 60_000)

  it('says that runs have expired', async () => {
    const { one, other } = await openTwo()
    await one.acquire('r', await one.join())
    const hint = listen(other, 'expired')
    await one.close()
    await hint()
    expect((await other.expired()).map(({ id }) => id)).toEqual(['r'])
  }, 20_000)
})

describe.skipIf(postgresAbsence)('a lease whose time has come although nobody has buried its node', () => {
  it('is not renewed any more: the node hears that it has lost it', async () => {
    const url = await (await sharedPostgres({ fsync: false })).createDatabase()
    const [log, session] = [await postgres.open({ folder: '', url, leaseTtl: 3_000 }), await sessionAt(url, 'test')]
    onTestFinished(async () => {
      await Promise.all([log.close(), session.close()])
    })
    const lost = Promise.withResolvers<void>()
    const id = await log.join(lost.resolve)
    const past = "UPDATE nodes SET until = clock_timestamp() - interval '1 second' WHERE id = $1"
    await session.query({ name: 'past', text: past }, [id])
    await lost.promise
    const [node] = await session.query<{ has: boolean }>(
      { name: 'has', text: 'SELECT until > clock_timestamp() AND NOT ended AS has FROM nodes WHERE id = $1' },
      [id],
    )
    expect(node?.has).toBe(false)
  }, 10_000)
})

describe.skipIf(postgresAbsence)('messages of other processes', () => {
  it('bring lines that need no query, and wake at once', async () => {
    const { one, other, mute, hand } = await openTwo()
    const reader = other.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    const next = reader.next()
    while (hand.listeners.size === 0) await new Promise(setImmediate)
    await append(one, 0, delta('a'), delta('b'))
    const { topic, message } = mute.sent.at(-1) ?? { topic: '', message: '' }
    expect(message).toContain('lines')
    for (const _twice of [1, 2]) hand.deliver(topic, message)
    expect(textsOf((await next).value)).toContain('"b"')
  })

  it('of a run that had the same id are not taken for entries of this one', async () => {
    const { one, other, mute, hand } = await openTwo()
    await append(one, 0, delta('the first of both'))
    await append(one, 1, delta('of the deleted run'))
    const stale = mute.sent.at(-1)
    await append(one, 2, end)
    await one.deleteThread('t')
    await one.createRun(newRun('r'))
    await append(one, 0, delta('the first of both'))
    const reader = other.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    // The reader has looked at the store: what follows its position would be taken as it comes.
    expect(textsOf((await reader.next()).value)).toContain('the first of both')
    const next = reader.next()
    hand.deliver(stale?.topic ?? '', stale?.message ?? '')
    await append(one, 1, delta('of this one'))
    expect(textsOf((await next).value)).toContain('of this one')
  }, 20_000)

  it('are not needed by the process that sent them, and an empty one leads to a look', async () => {
    const { one, mute, other, hand } = await openTwo()
    const before = mute.sent.length
    let calls = 0
    onTestFinished(one.watch({ runId: 'r' }, () => calls++))
    await one.tell('r', { command: { type: 'stop' } })
    const own = mute.sent.at(before)
    mute.deliver(own?.topic ?? '', own?.message ?? '')
    expect(calls).toBe(1)
    const hint = listen(other, { runId: 'r' })
    hand.deliver('run:r', own?.message ?? '')
    await hint()
    hand.deliver('run:r', '')
    const reader = other.read('r', { after: 0, live: true })[Symbol.asyncIterator]()
    const next = reader.next()
    await append(one, 0, delta('a'))
    hand.deliver('run:r', '')
    expect(textsOf((await next).value)).toContain('"a"')
  }, 20_000)
})
