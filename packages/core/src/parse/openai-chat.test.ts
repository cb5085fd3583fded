import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, parserOf, pushed, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { createReader } from '../read/read.ts'
import { openaiChat } from './openai-chat.ts'

/** The reader's events for values of a stream that ended cleanly. */
const read = (...values: readonly unknown[]) => through(createReader(openaiChat), recordsOf(values))

/** The parser's events for values, without an end. */
const parse = (...values: readonly unknown[]) => pushed(parserOf(openaiChat), recordsOf(values))

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})
const called = (fragment: object) => chunk({ tool_calls: [fragment] })
const counted = { id: 'c1', object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 3 } }
const lastOf = (events: readonly StreamEvent[]) => events.at(-1)

describe('the end of a run', () => {
  it('waits for the usage, which follows the finish reason', () => {
    const before = parse(chunk({ role: 'assistant', content: 'Hi' }), chunk({}, 'stop'), counted)
    expect(ofType(before, 'usage')).toHaveLength(1)
    expect(ofType(before, 'message-end')).toEqual([])
    const whole = read(chunk({ content: 'Hi' }), chunk({}, 'stop'), counted)
    expect(whole.slice(-3).map(({ type }) => type)).toEqual(['step-end', 'message-end', 'run-end'])
  })

  it('is a success with the finish reason', () => {
    expect(lastOf(read(chunk({ content: 'Hi' }), chunk({}, 'length')))).toEqual({
      type: 'run-end',
      outcome: 'success',
      reason: 'length',
    })
  })

  it('awaits input after a call, even with another finish reason', () => {
    const call = called({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } })
    for (const reason of ['tool_calls', 'function_call', 'stop'])
      expect(lastOf(read(call, chunk({}, reason)))).toMatchObject({ outcome: 'awaiting-input' })
  })

  it('awaits nothing if a call was cut short', () => {
    const call = called({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x' } })
    expect(lastOf(read(call, chunk({}, 'length')))).toMatchObject({ outcome: 'success' })
  })

  it('is interrupted if neither a finish reason nor the usage arrived', () => {
    const events = read(chunk({ content: 'Hi' }))
    expect(lastOf(events)).toEqual({ type: 'run-end', outcome: 'interrupted' })
    expect(ofType(events, 'message-end')).toMatchObject([{ interrupted: true }])
  })

  it('is recognised by the usage alone if a vendor gives no finish reason', () => {
    expect(lastOf(read(chunk({ content: 'Hi' }), counted))).toEqual({ type: 'run-end', outcome: 'success' })
  })

  it('is an error after an error in any field', () => {
    const error = { message: 'No.', code: 429 }
    for (const failed of [{ error }, chunk({}, null, { error }), { object: 'error', ...error }])
      expect(lastOf(read(chunk({ content: 'Hi' }), failed))).toMatchObject({
        outcome: 'error',
        error: { message: 'No.', code: '429' },
      })
  })
})

describe('calls', () => {
  const start = { index: 0, id: 'a', type: 'function', function: { name: 'get_tide', arguments: '' } }

  it('begin when their name is complete', () => {
    expect(ofType(parse(called(start)), 'tool-start')).toEqual([])
    expect(ofType(parse(called(start), called({ index: 0, function: { arguments: '{' } })), 'tool-start')).toHaveLength(
      1,
    )
    expect(ofType(parse(called(start), chunk({ content: 'So.' })), 'tool-start')).toHaveLength(1)
    expect(ofType(parse(called(start), chunk({}, 'tool_calls')), 'tool-start')).toHaveLength(1)
  })

  it('that were only named are shown when the stream breaks off', () => {
    expect(ofType(read(called(start)), 'tool-start')).toMatchObject([{ callId: 'a', name: 'get_tide' }])
  })

  it('have unique ids in a run that uses one id twice', () => {
    const whole = called({ index: 0, id: 'call_0', function: { name: 'f', arguments: '{}' } })
    const events = read(
      whole,
      chunk({}, 'tool_calls'),
      { ...whole, id: 'c2' },
      { ...chunk({}, 'tool_calls'), id: 'c2' },
    )
    expect(ofType(events, 'tool-start').map(({ callId }) => callId)).toEqual(['call_0', 'call_0#2'])
    expect(ofType(events, 'raw')).toEqual([])
  })

  it('end once, though the finish reason arrives twice', () => {
    const events = read(called(start), chunk({}, 'tool_calls'), chunk({}, 'tool_calls'))
    expect(ofType(events, 'tool-input')).toEqual([{ type: 'tool-input', callId: 'a', input: {} }])
    expect(ofType(events, 'raw')).toEqual([])
  })
})

describe('reasoning', () => {
  it('that is sent in several fields is read once', () => {
    const fields = {
      reasoning: 'Hm',
      reasoning_content: 'Hm',
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }],
    }
    expect(ofType(parse(chunk(fields)), 'block-delta')).toMatchObject([{ text: 'Hm' }])
  })

  it('of another shape than any vendor sends is kept as a raw record', () => {
    const odd = chunk({ content: 'Well.', reasoning_details: [{ type: 'reasoning.text', text: { en: 'Hm' } }] })
    expect(read(odd).filter(({ type }) => type === 'raw')).toMatchObject([{ value: odd }])
  })

  it('that is encrypted belongs to its readable text', () => {
    const seal = { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] }
    const events = parse(chunk({ reasoning: 'Hm' }), chunk(seal), chunk(seal))
    const seals = ofType(events, 'block-patch').filter(({ encrypted }) => encrypted !== undefined)
    const [patch, another] = seals.map(({ blockId }) => blockId)
    expect(ofType(events, 'block-start').map(({ blockId }) => blockId)).toEqual([patch, another])
  })
})

describe('responses', () => {
  it('stay one if each chunk has a different id', () => {
    const events = read(...['a', 'b', 'c'].map((id) => ({ ...chunk({ content: id }), id })))
    expect(ofType(events, 'message-start')).toHaveLength(1)
    expect(ofType(events, 'block-start')).toHaveLength(1)
  })

  it('are counted once each, however often their usage is sent', () => {
    const usage = (completion_tokens: number) => ({ usage: { prompt_tokens: 5, completion_tokens } })
    const events = read(
      chunk({ content: 'a' }, null, usage(1)),
      chunk({ content: 'b' }, null, usage(2)),
      chunk({}, 'stop', usage(2)),
      {
        ...counted,
        ...usage(2),
      },
    )
    expect(ofType(events, 'usage')).toMatchObject([{ inputTokens: 5, outputTokens: 2 }])
  })

  it('with alternatives are one message each', () => {
    const other = { ...chunk({}), choices: [{ index: 1, delta: { content: 'B' }, finish_reason: null }] }
    const events = read(chunk({ content: 'A' }), other, chunk({ content: 'a' }))
    expect(ofType(events, 'message-start').map(({ messageId }) => messageId)).toEqual(['c1', 'c1:choice-1'])
    expect(ofType(events, 'block-start').map(({ messageId }) => messageId)).toEqual(['c1', 'c1:choice-1'])
  })
})

it('changes nothing on a chunk that it cannot read', () => {
  const bad = chunk({ content: 'lost', tool_calls: [{ index: 'x' }] })
  const events = read(chunk({ content: 'A' }), bad, chunk({ content: 'B' }, 'stop'))
  expect(ofType(events, 'raw')).toEqual([{ type: 'raw', value: bad, reason: 'unmapped' }])
  expect(ofType(events, 'block-delta').map(({ text }) => text)).toEqual(['A', 'B'])
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(openaiChat, value)

  it('is certain for chunks, less certain for choices alone, and claims no other stream', () => {
    expect(certainty(chunk({}))).toBe(1)
    expect(certainty({ choices: [{ delta: {} }] })).toBeGreaterThan(0.5)
    expect(certainty({ type: 'error', error: { message: 'x' } })).toBe(0)
    expect(certainty({ type: 'message_start', message: {} })).toBe(0)
    expect(certainty({ candidates: [] })).toBe(0)
  })
})
