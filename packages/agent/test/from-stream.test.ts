import { describe, expect, it } from 'vitest'
import { fromStream, type Streamed } from '../src/from-stream.ts'
import type { Memory } from '../src/named.ts'
import { createBench, eventsOf, ofType } from './bench.ts'

const line = (type: string, data: object = {}) => ({ type, data })

/** An agent whose framework streams `{type, data}`. */
const streaming = (stream: (memory: Memory) => Streamed | Promise<Streamed>) =>
  fromStream({ title: 'Stream', format: 'agent-lines', stream })

async function* valuesOf(...values: readonly unknown[]) {
  yield* values
}

describe('an agent of a stream', () => {
  it('is what its format reads in its values, each of which is a record', async () => {
    const bench = await createBench(
      streaming(() => valuesOf(line('text', { content: 'Six ' }), line('text', { content: 'forty.' }), line('done'))),
    )
    await bench.start('r')
    const events = await bench.ended('r')
    expect(ofType(events, 'block-delta').map(({ text }) => text)).toEqual(['Go', 'Six ', 'forty.'])
    expect(ofType(events, 'run-end')).toMatchObject([{ outcome: 'success' }])
    const records: unknown[] = []
    for await (const inputs of bench.log.inputs('r'))
      for (const input of inputs) if (input.by === 'producer') records.push(JSON.parse(input.text))
    expect(records).toEqual([line('text', { content: 'Six ' }), line('text', { content: 'forty.' }), line('done')])
  })

  it('gets the history, and what the person says', async () => {
    const seen: unknown[] = []
    const agent = streaming(({ history, input }) => {
      seen.push([history.map(({ role }) => role), input.text])
      return valuesOf(line('text', { content: 'Aye.' }), line('done'))
    })
    const bench = await createBench(agent)
    await bench.start('r1', 'First')
    await bench.ended('r1')
    await bench.start('r2', 'Second')
    await bench.ended('r2')
    expect(seen).toEqual([
      [[], 'First'],
      [['user', 'assistant'], 'Second'],
    ])
  })

  it('keeps values that JSON does not hold as what they show', async () => {
    const around: { [field: string]: unknown } = { name: 'tide' }
    around.self = around
    const events = await eventsOf(
      streaming(() => valuesOf({ type: 'chart', data: { size: 5n, error: new TypeError('No chart.'), around } })),
    )
    expect(JSON.stringify(events)).toContain('"size":"5"')
    expect(JSON.stringify(events)).toContain('No chart.')
  })

  it('fails with what the stream throws, and keeps what came', async () => {
    const events = await eventsOf(
      streaming(async function* () {
        yield line('text', { content: 'Casting off.' })
        throw new RangeError('The rope is too short.')
      }),
    )
    expect(ofType(events, 'block-delta').at(-1)).toMatchObject({ text: 'Casting off.' })
    const error = { message: 'The rope is too short.', name: 'RangeError' }
    expect(ofType(events, 'run-end')).toEqual([{ type: 'run-end', outcome: 'error', error }])
  })

  it('fails with the words of its records, if it throws once more behind them', async () => {
    const events = await eventsOf(
      streaming(async function* () {
        yield line('error', { message: 'The gauge is broken.', code: 'GAUGE' })
        throw new Error('The stream has ended unsuccessfully.')
      }),
    )
    expect(ofType(events, 'run-end')).toMatchObject([
      { outcome: 'error', error: { message: 'The gauge is broken.', code: 'GAUGE' } },
    ])
    expect(JSON.stringify(events)).not.toContain('unsuccessfully')
  })

  it('is stopped and closed, also if the stream does not take the signal', async () => {
    let isClosed = false
    const bench = await createBench(
      streaming(async function* () {
        try {
          for (;;) {
            yield line('text', { content: 'On. ' })
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        } finally {
          isClosed = true
        }
      }),
    )
    await bench.start('r')
    await bench.seen('r', (event) => event.type === 'block-delta' && event.text === 'On. ')
    await bench.stop('r')
    expect(ofType(await bench.ended('r'), 'run-end')).toEqual([{ type: 'run-end', outcome: 'cancelled' }])
    await expect.poll(() => isClosed).toBe(true)
  })
})
