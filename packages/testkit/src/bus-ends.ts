import { setTimeout } from 'node:timers/promises'
import { type BusBench, collect, eventually, settled } from './bus-bench.ts'
import { expect } from './expectation.ts'
import { refusalOf } from './log-bench.ts'
import { it } from './runner.ts'

/** The promises of a bus about its beginning and its end. */
export function endPromises(bench: BusBench): void {
  it('is silent once it is closed, and refuses nothing', async () => {
    const bus = await bench.open()
    const received = await collect(bus, 'run:1')
    bus.publish('run:1', 'm')
    const closing = bus.close()
    bus.publish('run:1', 'm')
    const stop = bus.subscribe('run:1', (message) => received.push(message))
    await Promise.all([closing, bus.close()])
    bus.publish('run:1', 'm')
    stop()
    await setTimeout(20)
    expect(received).toEqual([])
    expect(await refusalOf(bus.ready())).toBe('bus-closed')
  })

  if (bench.member.confined !== undefined) {
    it('reaches its own process only, as declared', async () => {
      const [one, other] = await Promise.all([bench.open(), bench.open()])
      const received = await collect(other, 'run:1')
      one.publish('run:1', 'm')
      await settled({ one, other: one })
      expect(received).toEqual([])
    })
    return
  }

  it('sends what was published before it was closed', async () => {
    const [one, other] = await Promise.all([bench.open(), bench.open()])
    const received = await collect(other, 'run:1')
    for (let count = 1; count <= 100; count++) one.publish('run:1', `${count}`)
    await one.close()
    await eventually('the last message arrives', () => received.includes('100'))
  })

  it('is not heard in other scopes, whatever their names', async () => {
    const scopes = [bench.scope, `${bench.scope}:a`, '', 'a', 'A', 'a!', 'a:', '*', '\u0000', '\ud800', '\ud801', '\n']
    const topics = ['run:1', 'a:run:1', ':run:1']
    const openAll = () => Promise.all(scopes.map((scope) => bench.openSoon({ scope })))
    const [senders, receivers] = await Promise.all([openAll(), openAll()])
    const received = await Promise.all(receivers.flatMap(({ bus }) => topics.map((topic) => collect(bus, topic))))
    for (const [index, { bus }] of senders.entries()) {
      await bus.ready()
      for (const topic of topics) bus.publish(topic, `${index} ${topic}`)
    }
    const pairs = senders.map(({ bus }, index) => ({ one: bus, other: receivers[index]?.bus ?? bus }))
    await Promise.all(pairs.map(settled))
    await setTimeout(50)
    expect(received).toEqual(scopes.flatMap((_, index) => topics.map((topic) => [`${index} ${topic}`])))
  })

  it('refuses a URL that is not valid, without repeating it', async () => {
    const wrong = ['', 'nowhere', '/secret', 'http://:secret@127.0.0.1/', 'file:///secret', '//:secret@127.0.0.1']
    for (const url of wrong) {
      const report = () => undefined
      const refusal = await bench.member.open({ url, scope: '', report }).then(
        (bus) => bus.close().then(() => ({ code: 'opened', message: '' })),
        (error: { readonly code: string; readonly message: string }) => error,
      )
      expect(refusal.code, `the refusal of "${url}"`).toBe('wrong-url')
      expect(refusal.message.includes('secret')).toBe(false)
    }
  })
}
