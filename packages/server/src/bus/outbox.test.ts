import { describe, expect, it } from 'vitest'
import { createOutbox, type Outgoing } from './outbox.ts'

const everyone = { name: 'all!', text: 'empty' }
const messageOf = (topic: number, size = 10): Outgoing => ({ name: `scope:run:${topic}`, text: 'x'.repeat(size) })

/** All batches, until none is left. */
function drain(outbox: ReturnType<typeof createOutbox>): Outgoing[] {
  const messages: Outgoing[] = []
  while (!outbox.isEmpty) messages.push(...outbox.take())
  return messages
}

describe('an outbox', () => {
  it('gives every message in order, in batches of a bounded size, however much has gone through it', () => {
    const outbox = createOutbox(everyone)
    for (let round = 0; round < 500; round++) {
      const messages = Array.from({ length: 100 }, (_, index) => messageOf(index, 1_000))
      for (const message of messages) outbox.add(message)
      expect(outbox.take().length).toBeLessThanOrEqual(100)
      drain(outbox)
    }
    const messages = Array.from({ length: 1_000 }, (_, index) => messageOf(index, 1_000))
    for (const message of messages) outbox.add(message)
    const first = outbox.take()
    expect(first.length).toBeLessThan(200)
    expect([...first, ...drain(outbox)]).toEqual(messages)
  })

  it('leaves each topic one empty message if there is too much', () => {
    const outbox = createOutbox(everyone)
    for (let count = 0; count < 10_000; count++) outbox.add(messageOf(count % 3, 1_000))
    const messages = drain(outbox)
    expect(new Set(messages.map(({ name }) => name))).toEqual(new Set([0, 1, 2].map((topic) => messageOf(topic).name)))
    expect(messages.length).toBeLessThan(2_500)
    expect(messages[0]?.text).toBe(everyone.text)
  })

  it('calls everyone if there are too many topics, once, and goes on afterwards', () => {
    const outbox = createOutbox(everyone)
    for (let count = 0; count < 100_000; count++) outbox.add(messageOf(count))
    expect(drain(outbox)).toEqual([everyone])
    outbox.add(messageOf(1))
    expect(drain(outbox)).toEqual([messageOf(1)])
  })

  it('takes a batch back in front of what came meanwhile', () => {
    const outbox = createOutbox(everyone)
    for (const topic of [1, 2]) outbox.add(messageOf(topic))
    const batch = outbox.take()
    outbox.add(messageOf(3))
    outbox.putBack(batch)
    expect(drain(outbox)).toEqual([1, 2, 3].map((topic) => messageOf(topic)))
  })

  it('stays bounded, and says no less, when batches are taken back', () => {
    const outbox = createOutbox(everyone)
    for (let round = 0; round < 100; round++) {
      for (let count = 0; count < 100; count++) outbox.add(messageOf(count, 1_000))
      const batch = outbox.take()
      outbox.putBack(batch)
    }
    const messages = drain(outbox)
    expect(messages.length).toBeLessThan(2_500)
    expect(new Set(messages.map(({ name }) => name))).toEqual(
      new Set(Array.from({ length: 100 }, (_, topic) => messageOf(topic).name)),
    )
    outbox.putBack([everyone])
    outbox.add(messageOf(1))
    expect(drain(outbox)).toEqual([everyone])
  })
})
