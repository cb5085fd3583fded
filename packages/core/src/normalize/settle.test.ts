import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import type { CreatePass } from './pass.ts'
import { createSettle, settle } from './settle.ts'

const settled = (...events: readonly StreamEvent[]) => settledBy(settle, events)

function settledBy(create: CreatePass, events: readonly StreamEvent[]): StreamEvent[] {
  const out: StreamEvent[] = []
  const pass = create((event) => out.push(event))
  for (const event of events) pass.push(event)
  pass.end()
  return out
}

const piece = (text: string): StreamEvent => ({ type: 'tool-input-delta', callId: 'c', text })
const complete: StreamEvent = { type: 'tool-input', callId: 'c' }

describe('settle', () => {
  it('S0-17, S0-18: completes a streamed input once', () => {
    expect(settled(piece('{"a":'), piece('[1]}'), complete).at(-1)).toEqual({ ...complete, input: { a: [1] } })
  })

  it('reads an empty input as the empty object', () => {
    expect(settled(complete)).toEqual([{ ...complete, input: {} }])
    expect(settled(piece('  '), complete).at(-1)).toEqual({ ...complete, input: {} })
  })

  it('keeps the text of an input that is not JSON', () => {
    expect(settled(piece('{"a":'), complete).at(-1)).toEqual({
      ...complete,
      text: '{"a":',
      error: 'The input is not JSON.',
    })
  })

  it('keeps the text of an input that is nested too deeply', () => {
    const text = `${'['.repeat(600)}${']'.repeat(600)}`
    expect(settled(piece(text), complete).at(-1)).toMatchObject({ text, error: 'The input is not JSON.' })
  })

  it('prefers a given input over the streamed one', () => {
    expect(settled(piece('{"a":1}'), { ...complete, input: 0 }).at(-1)).toEqual({ ...complete, input: 0 })
    expect(settled(piece('{"a":1}'), { ...complete, input: null }).at(-1)).toEqual({ ...complete, input: null })
  })

  it('completes an unfinished input before the output, and at the end', () => {
    const output: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 1 }
    expect(settled(piece('{}'), output)).toEqual([piece('{}'), { ...complete, input: {} }, output])
    expect(settled(piece('{"cut'))).toEqual([
      piece('{"cut'),
      { ...complete, text: '{"cut', error: 'The input is not JSON.' },
    ])
  })

  const start: StreamEvent = { type: 'block-start', blockId: 'b', kind: 'text' }
  const delta = (text: string): StreamEvent => ({ type: 'block-delta', blockId: 'b', text })

  it('drops a whole text that only repeats what was streamed', () => {
    expect(settled(start, delta('ab'), delta('c'), { type: 'block-patch', blockId: 'b', text: 'abc' })).toHaveLength(3)
    expect(
      settled(start, delta('abc'), { type: 'block-patch', blockId: 'b', text: 'abc', signature: 's' }).at(-1),
    ).toEqual({
      type: 'block-patch',
      blockId: 'b',
      signature: 's',
    })
  })

  it('emits what a whole text adds as a delta, and compares later texts with it', () => {
    const whole: StreamEvent = { type: 'block-patch', blockId: 'b', text: 'abcd' }
    expect(settled(start, delta('ab'), whole, whole)).toEqual([start, delta('ab'), delta('cd')])
  })

  it('passes a whole text that differs', () => {
    for (const text of ['abX', 'a', 'ba']) {
      const patch: StreamEvent = { type: 'block-patch', blockId: 'b', text }
      expect(settled(start, delta('ab'), delta('c'), patch).at(-1)).toEqual(patch)
    }
  })

  it('compares all of a long text, wherever it was cut', () => {
    const long = 'mill '.repeat(3000)
    const deltas = Array.from({ length: 3000 }, () => delta('mill '))
    const whole = (text: string): StreamEvent => ({ type: 'block-patch', blockId: 'b', text })
    expect(settled(start, ...deltas, whole(long))).toHaveLength(deltas.length + 1)
    expect(settled(start, ...deltas, whole(`${long}!`)).at(-1)).toEqual(delta('!'))
    for (const at of [0, 4096, 4100, 8191, 8200, long.length - 1]) {
      const other = `${long.slice(0, at)}X${long.slice(at + 1)}`
      expect(settled(start, ...deltas, whole(other)).at(-1)).toEqual(whole(other))
    }
    expect(settled(start, ...deltas, whole(long.slice(0, 4096))).at(-1)).toEqual(whole(long.slice(0, 4096)))
  })

  it('compares with a text that was replaced, not with what was streamed before', () => {
    const whole = (text: string): StreamEvent => ({ type: 'block-patch', blockId: 'b', text })
    expect(settled(start, delta('abc'), whole('abX'), whole('abcd')).at(-1)).toEqual(whole('abcd'))
    expect(settled(start, delta('abc'), whole('abX'), delta('y'), whole('abXyz')).at(-1)).toEqual(delta('z'))
  })

  it('compares the text itself: two texts of one length are not confused', () => {
    const whole: StreamEvent = { type: 'block-patch', blockId: 'b', text: 'b'.repeat(3) }
    expect(settled(start, delta('a'.repeat(3)), whole).at(-1)).toEqual(whole)
  })

  it('compares with all streamed text, however many fragments it has', () => {
    const pieces = Array.from({ length: 3_000 }, (_, index) => `${index} `)
    const text = pieces.join('')
    const whole: StreamEvent = { type: 'block-patch', blockId: 'b', text: `${text}!` }
    const other: StreamEvent = { type: 'block-patch', blockId: 'b', text: `${text.replace('2999', '29!9')}!` }
    expect(settled(start, ...pieces.map(delta), whole).at(-1)).toEqual(delta('!'))
    expect(settled(start, ...pieces.map(delta), other).at(-1)).toEqual(other)
  })

  it('passes a whole text unchanged if more was streamed than is kept for comparison', () => {
    const whole: StreamEvent = { type: 'block-patch', blockId: 'b', text: 'abcdef' }
    const other: StreamEvent = { type: 'block-start', blockId: 'other', kind: 'text' }
    const more: StreamEvent = { type: 'block-delta', blockId: 'other', text: 'xyz' }
    const bounded = createSettle(5)
    expect(settledBy(bounded, [start, delta('abc'), whole]).at(-1)).toEqual(delta('def'))
    expect(settledBy(bounded, [start, delta('abc'), other, more, whole]).at(-1)).toEqual(whole)
  })
})
