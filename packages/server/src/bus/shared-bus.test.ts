import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { BusError } from './errors.ts'
import type { Outgoing } from './outbox.ts'
import { createSharedBus, type Transport } from './shared-bus.ts'

/** A server in this process. */
function createServer() {
  const batches: (readonly Outgoing[])[] = []
  const heards = new Set<(incoming: Outgoing) => void>()
  const followed: string[] = []
  const lostBy: { [connection: string]: (error: unknown) => void } = {}
  const connection = { opened: Promise.resolve(), check: async () => undefined, end: async () => undefined }
  const faults = { ofSend: 0, ofFollow: 0 }

  async function failing(fault: keyof typeof faults): Promise<void> {
    await setImmediate()
    if (faults[fault] > 0 && faults[fault]--) throw new Error(fault)
  }

  const transport: Transport = {
    largestMessage: 100,
    pause: 0,
    listen(heard, lost) {
      lostBy.listening = lost
      heards.clear()
      heards.add(heard)
      return {
        ...connection,
        follow: (names) => failing('ofFollow').then(() => followed.push(...names)),
        leave: (name) => void followed.splice(followed.indexOf(name), 1),
      }
    },
    send(lost) {
      lostBy.sending = lost
      return { ...connection, send: (batch) => failing('ofSend').then(() => batches.push(batch)) }
    },
  }
  const hear = (incoming: Outgoing) => {
    for (const heard of heards) heard(incoming)
  }
  return { transport, batches, followed, lostBy, faults, hear }
}

function open({ transport }: ReturnType<typeof createServer>, report: (error: BusError) => void = () => undefined) {
  return createSharedBus(transport, { url: '', scope: 'scope', report })
}

describe('a bus over a server', () => {
  it('sends what is published at the same time in few batches', async () => {
    const server = createServer()
    const bus = open(server)
    await bus.ready()
    for (let count = 0; count < 10_000; count++) bus.publish('run:1', `${count}`)
    await bus.close()
    expect(server.batches.flat()).toHaveLength(10_000)
    expect(server.batches.length).toBeLessThan(20)
  })

  it('rests between two batches as long as its transport asks', async () => {
    const { transport } = createServer()
    const times: number[] = []
    const send: Transport['send'] = (lost) => ({
      ...transport.send(lost),
      send: async () => times.push(performance.now()),
    })
    const bus = createSharedBus({ ...transport, send, pause: 40 }, { url: '', report: () => undefined })
    await bus.ready()
    bus.publish('run:1', 'a')
    await setImmediate()
    await setImmediate()
    bus.publish('run:1', 'b')
    await vi.waitFor(() => expect(times).toHaveLength(2))
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(35)
    await bus.close()
  })

  it('sends a batch again that was refused, without a loss that nobody saw', async () => {
    const server = createServer()
    const bus = open(server)
    await bus.ready()
    server.faults.ofSend = 1
    bus.publish('run:1', 'a')
    bus.publish('run:1', 'b')
    await vi.waitFor(() => expect(server.batches.flat()).toHaveLength(2))
    expect(server.batches.flat().map(({ text }) => text.slice(12))).toEqual(['"a"', '"b"'])
    await bus.close()
  })

  it('connects again if a topic cannot be followed', async () => {
    const server = createServer()
    const bus = open(server)
    await bus.ready()
    server.faults.ofFollow = 1
    const calls: string[] = []
    bus.subscribe('run:1', (message) => calls.push(message))
    await bus.ready()
    await vi.waitFor(() => expect(calls).toEqual(['']))
    expect(server.followed).toContain('scope:run:1')
    await bus.close()
  })

  it('reports an outage of both connections once, and survives a report that throws', async () => {
    const server = createServer()
    const warnings = vi.spyOn(process, 'emitWarning').mockReturnValue()
    const report = vi.fn((_error: BusError) => {
      throw new Error('The fault of whoever is told.')
    })
    const bus = open(server, report)
    await bus.ready()
    for (const name of ['listening', 'sending', 'listening']) {
      server.lostBy[name]?.(new AggregateError([new Error('one address'), new Error('another')]))
      await bus.ready()
      await setImmediate()
      await bus.ready()
    }
    expect(report).toHaveBeenCalledOnce()
    expect(report.mock.calls[0]?.[0].message).toMatch(/one address another$/)
    expect(warnings).toHaveBeenCalledOnce()
    warnings.mockRestore()
    await bus.close()
  })

  it('takes what is no message of a bus for a hint', async () => {
    const server = createServer()
    const bus = open(server)
    await bus.ready()
    const calls: string[] = []
    bus.subscribe('run:1', (message) => calls.push(message))
    await bus.ready()
    calls.length = 0
    for (const text of ['', 'short', 'x'.repeat(50), `${'x'.repeat(12)}null`, `${'x'.repeat(12)}"m"`]) {
      server.hear({ name: 'scope:run:1', text })
    }
    server.hear({ name: 'elsewhere:run:1', text: `${'x'.repeat(12)}"m"` })
    expect(calls).toEqual(['', '', '', '', 'm'])
    await bus.close()
  })
})
