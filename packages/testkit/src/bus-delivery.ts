import { type BusBench, collect, eventually, type Pair, promise, settled } from './bus-bench.ts'
import { expect } from './expectation.ts'

/** Texts that are alike for whoever is careless: as topics they are different, as messages they arrive as they are. */
const texts = [
  '',
  ' ',
  'run:1',
  'RUN:1',
  'run:1 ',
  'run',
  '1',
  ':',
  'run:*',
  'run:?',
  'threads',
  'millrace!',
  'everyone',
  '#',
  '#run:1',
  '"run:1"',
  "run:1'; DROP TABLE runs; --",
  'run:1\nrun:2',
  'run:1\r\n',
  'run:1\u0000',
  '\u0000',
  '\u0001\u007f\u0080',
  'e\u0301',
  'é',
  '\ud800',
  '\ud801',
  '\udc00',
  '\ufffd',
  '\u{1f3de}',
  '\udfde\ud83c',
  '\u2028\ufeff',
  '__proto__',
  'x'.repeat(80),
  'x'.repeat(81),
  'x'.repeat(10_000),
  `${'x'.repeat(10_000)}y`,
  '水'.repeat(3_000),
]

/** The characters that are largest in some encoding. */
const largeCharacters = ['x', '"', '\\', '\u0000', '\u0001', '\u007f', 'é', '水', '\u{1f3de}', '\ud800']

/** A text of these characters with exactly so many bytes of UTF-8. */
function textOf(character: string, bytes: number): string {
  const size = Buffer.byteLength(character)
  return character.repeat(Math.floor(bytes / size)) + 'x'.repeat(bytes % size)
}

/** The promises of a bus about what it delivers. */
export function deliveryPromises(bench: BusBench): void {
  promise(bench, 'delivers every message to every listener of its topic, once', async (pair) => {
    const { one, other } = pair
    const received = await Promise.all([collect(one, 'run:1'), collect(other, 'run:1'), collect(other, 'run:1')])
    const messages = Array.from({ length: 50 }, (_, index) => `message ${index}`)
    for (const message of messages) one.publish('run:1', message)
    for (const of of received) await eventually('all arrive', () => of.length >= messages.length)
    await settled(pair)
    expect(received).toEqual([messages, messages, messages])
  })

  promise(bench, 'tells apart topics of any characters and any length', async (pair) => {
    const received = await Promise.all(texts.map((topic) => collect(pair.other, topic)))
    for (const [index, topic] of texts.entries()) pair.one.publish(topic, `topic ${index}`)
    for (const [index, messages] of received.entries()) {
      await eventually(`the message of topic ${JSON.stringify(texts[index])?.slice(0, 40)}`, () => messages.length > 0)
    }
    await settled(pair)
    expect(received).toEqual(texts.map((_, index) => [`topic ${index}`]))
  })

  promise(bench, 'delivers messages of any characters as they are', async ({ one, other }) => {
    const messages = texts.filter((text) => Buffer.byteLength(text) <= bench.member.largestMessage)
    const received = await collect(other, 'run:1')
    for (const message of messages) one.publish('run:1', message)
    await eventually('all arrive', () => received.length >= messages.length)
    expect(received).toEqual(messages)
  })

  promise(bench, 'delivers a message of the largest size, and rings for a larger one', async ({ one, other }) => {
    const { largestMessage } = bench.member
    for (const character of largeCharacters) {
      const received = await collect(other, `of ${character}`)
      const largest = textOf(character, largestMessage)
      one.publish(`of ${character}`, largest)
      one.publish(`of ${character}`, `${largest}x`)
      one.publish(`of ${character}`, character.repeat(largestMessage * 20))
      await eventually('all arrive', () => received.length >= 3)
      expect(received.map((message) => message === largest || message)).toEqual([true, '', ''])
    }
  })

  promise(bench, 'never calls a listener before publishing or subscribing has returned', async (pair) => {
    const calls: string[] = []
    let isInside = true
    const note = () => calls.push(isInside ? 'inside' : 'later')
    pair.one.subscribe('run:1', note)
    pair.other.subscribe('run:1', note)
    pair.one.publish('run:1', 'm')
    isInside = false
    await settled(pair)
    expect(calls.includes('later')).toBe(true)
    expect(calls.includes('inside')).toBe(false)
  })

  promise(bench, 'is not disturbed by a listener that throws, publishes or subscribes', async ({ one, other }) => {
    const received: string[] = []
    other.subscribe('run:1', () => {
      throw new Error('A listener’s own fault.')
    })
    other.subscribe('run:1', () => {
      const stop = other.subscribe('run:1', () => undefined)
      stop()
      other.publish('run:2', 'answer')
    })
    const answers = await collect(one, 'run:2')
    other.subscribe('run:1', (message) => received.push(message))
    await other.ready()
    one.publish('run:1', 'm')
    await eventually('the last listener is called', () => received.includes('m'))
    await eventually('the answer arrives', () => answers.includes('answer'))
  })

  unsubscribingPromises(bench)
}

function unsubscribingPromises(bench: BusBench): void {
  promise(bench, 'calls no listener that has been removed, and every other one', async (pair) => {
    const calls: string[] = []
    const twice = () => calls.push('twice')
    const subscribe = (listener: () => void) => pair.other.subscribe('run:1', listener)
    const stops = [subscribe(twice), subscribe(() => calls.push('removed')), subscribe(twice)]
    await pair.other.ready()
    for (const stop of stops.slice(0, 2)) stop()
    // Once more: that must not remove another.
    stops[0]?.()
    await settled(pair)
    calls.length = 0
    pair.one.publish('run:1', 'm')
    await eventually('the listener that is left is called', () => calls.length > 0)
    stops[2]?.()
    calls.length = 0
    pair.one.publish('run:1', 'm')
    await settled(pair)
    expect(calls).toEqual([])
  })

  promise(bench, 'calls a listener that was added again after the topic had none', async (pair) => {
    const calls: string[] = []
    const subscribe = () => pair.other.subscribe('run:1', () => calls.push('removed'))
    const stops = [subscribe(), subscribe()]
    for (const stop of stops) stop()
    for (let round = 0; round < 3; round++) subscribe()()
    const received = await collect(pair.other, 'run:1')
    // Once more: the listeners of the topic are others by now.
    for (const stop of stops) stop()
    calls.length = 0
    pair.one.publish('run:1', 'm')
    await eventually('the message arrives', () => received.includes('m'))
    expect(calls).toEqual([])
  })

  promise(bench, 'calls no listener that another one has removed meanwhile', async (pair) => {
    const calls: string[] = []
    const stops: (() => void)[] = []
    for (const name of ['first', 'second']) {
      const stopAll = (message: string) => {
        if (message === '') return
        calls.push(name)
        for (const stop of stops) stop()
      }
      stops.push(pair.other.subscribe('run:1', stopAll))
    }
    await pair.other.ready()
    pair.one.publish('run:1', 'm')
    await settled(pair)
    expect(calls).toHaveLength(1)
  })

  promise(bench, 'calls a removed listener not even with what was published before', async (pair: Pair) => {
    const received: string[] = []
    const stop = pair.other.subscribe('run:1', (message) => received.push(message))
    await pair.other.ready()
    await settled(pair)
    received.length = 0
    pair.one.publish('run:1', 'm')
    stop()
    await settled(pair)
    expect(received).toEqual([])
  })
}
