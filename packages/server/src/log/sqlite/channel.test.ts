import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { createChannel } from './channel.ts'

/** A thread that answers each request with its word and the number of requests in its batch. */
const echo = `
  const { parentPort } = require('node:worker_threads')
  parentPort.postMessage({ value: 'ready' })
  parentPort.on('message', (message) => {
    if (message === 'close') return parentPort.close()
    const batch = typeof message === 'string' ? JSON.parse(message) : message
    const answers = batch.map(({ values: [word] }) => ({ value: (word.length ?? word) + ' of ' + batch.length }))
    parentPort.postMessage(answers)
  })`

interface Echo {
  append(word: unknown): string
}

async function open() {
  const channel = createChannel<Echo>(new Worker(echo, { eval: true }))
  await channel.ready
  return channel
}

const MEGABYTE = 1024 * 1024
const cargo = (characters: number, buffers: ArrayBuffer[] = []) => ({ characters, buffers })

describe('batches to the thread of a log', () => {
  it('are bounded by characters; a larger request is sent alone, and the order is kept', async () => {
    const channel = await open()
    const sizes = [0.4, 0.4, 0.4, 3, 0, 0.9, 0.2, 0]
    const answered: number[] = []
    const answers = sizes.map(async (size, index) => {
      const answer = await channel.ship(cargo(size * MEGABYTE), 'append', 'word')
      answered.push(index)
      return answer
    })
    expect((await Promise.all(answers)).map((answer) => answer.replace('4 of ', ''))).toEqual([
      '2',
      '2',
      '1',
      '1',
      '2',
      '2',
      '2',
      '2',
    ])
    expect(answered).toEqual(sizes.map((_, index) => index))
    await channel.drain()
    await channel.end()
  })

  it('fail only for the request that cannot be sent', async () => {
    const channel = await open()
    const outcomes = await Promise.allSettled([
      channel.call('append', 'one'),
      channel.call('append', {
        toJSON: () => {
          throw new RangeError('Invalid string length')
        },
      }),
      channel.call('append', 'three'),
    ])
    expect(outcomes).toMatchObject([
      { value: '3 of 1' },
      { reason: { code: 'log-failed', message: expect.stringContaining('Invalid string length') } },
      { value: '5 of 1' },
    ])
    expect(await Promise.all([channel.call('append', 'a'), channel.call('append', 'b')])).toEqual(['1 of 2', '1 of 2'])
    await channel.drain()
    await channel.end()
  })

  it.each([1, 2, 3])(
    'fail for each of %i requests that cannot be sent, wherever they are among the others',
    async (count) => {
      const channel = await open()
      const unsendable = {
        toJSON: () => {
          throw new RangeError('Invalid string length')
        },
      }
      const words = Array.from({ length: 2 * count + 1 }, (_, index) => (index % 2 === 1 ? unsendable : 'word'))
      const outcomes = await Promise.allSettled(words.map((word) => channel.call('append', word)))
      expect(outcomes.map(({ status }) => status)).toEqual(
        words.map((word) => (word === unsendable ? 'rejected' : 'fulfilled')),
      )
      expect(await channel.call('append', 'word')).toBe('4 of 1')
      await channel.drain()
      await channel.end()
    },
  )

  it('transfer bytes instead of copying them', async () => {
    const channel = await open()
    const bytes = new Uint8Array(1000)
    expect(await channel.ship(cargo(1000, [bytes.buffer]), 'append', bytes)).toBe('1000 of 1')
    expect(bytes.byteLength).toBe(0)
    await channel.drain()
    await channel.end()
  })
})
