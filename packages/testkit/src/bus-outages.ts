import { setTimeout } from 'node:timers/promises'
import type { Bus } from '@millrace/server/bus'
import { type BusBench, collect, eventually, settled } from './bus-bench.ts'
import { createGate } from './bus-gate.ts'
import { expect } from './expectation.ts'
import { refusalOf } from './log-bench.ts'
import { it } from './runner.ts'

/** Longer than an ending bus takes, shorter than one that waits for a server. */
const SOON = 4_000

/** The promises of a shared bus about connections and servers that go away. */
export function outagePromises(bench: BusBench): void {
  it('rings all listeners after its connections were ended, and goes on', async () => {
    const [one, { bus: other, reports }] = await Promise.all([bench.open(), bench.openSoon()])
    const [run, threads] = await Promise.all([collect(other, 'run:1'), collect(other, 'threads')])
    await (await bench.server()).cut()
    for (const messages of [run, threads]) await eventually('it is rung', () => messages.includes(''))
    await goesOn(one, other)
    expect(reports).toEqual(['bus-lost'])
  })

  it('serves its own process while the server is away, and all when it is back', async () => {
    const server = await bench.server()
    const buses = await Promise.all([bench.openSoon(), bench.openSoon()])
    const [one, other] = buses.map(({ bus }) => bus) as [Bus, Bus]
    const [own, remote] = await Promise.all([collect(one, 'run:1'), collect(other, 'run:1')])
    await server.stop()
    one.publish('run:1', 'while it is away')
    await eventually('the own listener is called', () => own.includes('while it is away'))
    await eventually('both report it', () => buses.every(({ reports }) => reports.length > 0))
    expect(remote).toEqual([])
    // Long enough for several attempts.
    await setTimeout(1_000)
    await server.start()
    for (const messages of [own, remote]) await eventually('it is rung', () => messages.includes(''))
    await goesOn(one, other)
    expect(buses.map(({ reports }) => reports)).toEqual([['bus-lost'], ['bus-lost']])
  })

  it('opens without its server, and is ready when that is there', async () => {
    const server = await bench.server()
    await server.stop()
    const { bus, reports } = await bench.openSoon()
    let isReady = false
    const ready = bus.ready().then(() => {
      isReady = true
    })
    await eventually('it is reported', () => reports.length > 0)
    expect(isReady).toBe(false)
    await server.start()
    await ready
    expect(reports).toEqual(['bus-lost'])
    await goesOn(await bench.open(), bus)
  })

  it('sends again what it could not send, if the listeners of others have lost nothing', async () => {
    await using gate = await createGate((await bench.server()).url)
    const [{ bus: one }, other] = await Promise.all([bench.openSoon({ url: gate.url }), bench.open()])
    const received = await collect(other, 'run:1')
    for (let round = 0; round < 5; round++) {
      await one.ready()
      one.publish('run:1', `before ${round}`)
      gate.shut()
      one.publish('run:1', `meanwhile ${round}`)
      await setTimeout(round * 10)
      gate.open()
      for (const when of ['before', 'meanwhile']) {
        await eventually('it arrives', () => received.includes(`${when} ${round}`))
      }
    }
  })

  it('rings a listener whose subscription comes to the server after a message', async () => {
    await using gate = await createGate((await bench.server()).url)
    const [one, witness] = await Promise.all([bench.open(), bench.open()])
    const { bus: other } = await bench.openSoon({ url: gate.url })
    await other.ready()
    gate.hold()
    let state = 'before'
    let seen = ''
    other.subscribe('run:1', () => {
      seen = state
    })
    state = 'after'
    one.publish('run:1', 'm')
    await settled({ one, other: witness })
    gate.release()
    await eventually('the listener is called after the message', () => seen === 'after')
  })

  it('follows topics that were subscribed during an outage, and no longer those that were left', async () => {
    await using gate = await createGate((await bench.server()).url)
    const [one, { bus: other }] = await Promise.all([bench.open(), bench.openSoon({ url: gate.url })])
    const left: string[] = []
    const leave = other.subscribe('left', (message) => left.push(message))
    await other.ready()
    gate.shut()
    await setTimeout(50)
    leave()
    left.length = 0
    const added = collect(other, 'added')
    gate.open()
    const messages = await added
    one.publish('left', 'm')
    one.publish('added', 'm')
    await eventually('the message arrives', () => messages.includes('m'))
    expect(left).toEqual([])
  })

  it('closes soon while the server is away', async () => {
    await using gate = await createGate((await bench.server()).url)
    const { bus, reports } = await bench.openSoon({ url: gate.url })
    await bus.ready()
    gate.shut()
    bus.publish('run:1', 'm')
    await eventually('the loss is reported', () => reports.length > 0)
    const waiting = refusalOf(bus.ready())
    const began = performance.now()
    await bus.close()
    expect(performance.now() - began < SOON, 'it closes soon').toBe(true)
    expect(await waiting).toBe('bus-closed')
  })
}

/** A message of each reaches the other. */
async function goesOn(one: Bus, other: Bus): Promise<void> {
  await Promise.all([one.ready(), other.ready()])
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const messages = await collect(to, 'afterwards')
    from.publish('afterwards', 'm')
    await eventually('a later message arrives', () => messages.includes('m'))
  }
}
