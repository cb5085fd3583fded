import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, recordsOf, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import { cohere } from './cohere.ts'

/** The events of values that ended cleanly. */
const read = (...values: readonly unknown[]) => through(createReader(cohere), recordsOf(values))

const start = { type: 'message-start', id: 'm', delta: { message: { role: 'assistant' } } }
const content = (type: string, index: number, fields: object) => ({
  type,
  index,
  delta: { message: { content: fields } },
})
const end = (finish_reason: string, more: object = {}) => ({ type: 'message-end', delta: { finish_reason, ...more } })
const call = (fields: object) => ({ type: 'tool-call-start', index: 0, delta: { message: { tool_calls: fields } } })
const plan = (tool_plan: string) => ({ type: 'tool-plan-delta', delta: { message: { tool_plan } } })

describe('the end of a run', () => {
  it('awaits input after a call', () => {
    const events = read(start, call({ id: 'a', function: { name: 'f', arguments: '' } }), end('TOOL_CALL'))
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'awaiting-input', reason: 'TOOL_CALL' })
  })

  it('is an error with its message if the response failed', () => {
    const failed = read(start, end('ERROR', { error: 'No water.' })).at(-1)
    expect(failed).toEqual({ type: 'run-end', outcome: 'error', error: { message: 'No water.', code: 'ERROR' } })
    expect(read(start, end('TIMEOUT')).at(-1)).toMatchObject({ outcome: 'error', error: { code: 'TIMEOUT' } })
  })

  it('is interrupted without an end of the message', () => {
    expect(read(start, content('content-delta', 0, { text: 'Hi' })).at(-1)).toMatchObject({ outcome: 'interrupted' })
  })
})

describe('content', () => {
  it('begins with its delta if its start is missing', () => {
    const events = read(content('content-delta', 1, { thinking: 'Hm' }), end('COMPLETE'))
    expect(ofType(events, 'block-start')).toMatchObject([{ kind: 'reasoning', variant: 'thinking' }])
  })

  it('is a plan before the calls, which close it', () => {
    const events = read(start, plan('I '), plan('ask.'), call({ id: 'a', function: { name: 'f' } }), end('TOOL_CALL'))
    expect(ofType(events, 'block-start')).toMatchObject([{ kind: 'reasoning', variant: 'plan' }])
    const types = events.map(({ type }) => type)
    expect(types.indexOf('block-end')).toBeLessThan(types.indexOf('tool-start'))
  })

  it('counts used tokens and keeps billed units', () => {
    const usage = { tokens: { input_tokens: 9, output_tokens: 2 }, billed_units: { input_tokens: 4 }, cached_tokens: 3 }
    expect(ofType(read(start, end('COMPLETE', { usage })), 'usage')).toEqual([
      {
        type: 'usage',
        scope: 'step',
        mode: 'snapshot',
        inputTokens: 9,
        outputTokens: 2,
        cacheReadTokens: 3,
        meta: { cohere: { billed_units: { input_tokens: 4 } } },
      },
    ])
  })
})

describe('the first version', () => {
  it('emits its text once, though the end repeats it', () => {
    const events = read(
      { event_type: 'text-generation', is_finished: false, text: 'Hi' },
      { event_type: 'stream-end', is_finished: true, finish_reason: 'COMPLETE', response: { text: 'Hi' } },
    )
    expect(ofType(events, 'block-delta').map(({ text }) => text)).toEqual(['Hi'])
    expect(ofType(events, 'block-patch')).toEqual([])
  })

  it('reads from the end what was not streamed', () => {
    const response = { text: 'I ask.', tool_calls: [{ name: 'f', parameters: { x: 1 } }] }
    const events = read({ event_type: 'stream-end', is_finished: true, finish_reason: 'COMPLETE', response })
    expect(ofType(events, 'tool-input')).toMatchObject([{ input: { x: 1 } }])
    expect(ofType(events, 'block-start')).toMatchObject([{ variant: 'plan' }])
    expect(events.at(-1)).toMatchObject({ outcome: 'awaiting-input' })
  })
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(cohere, value)

  it('is certain of fields under delta.message, and does not recognise other streams with the same types', () => {
    expect(certainty(start)).toBe(1)
    expect(certainty(content('content-delta', 0, { text: 'x' }))).toBe(1)
    expect(certainty({ type: 'message-start', messageId: 'm' })).toBe(0)
    expect(certainty({ type: 'tool-call-delta', toolCallId: 'a', argsTextDelta: '{' })).toBe(0)
    expect(certainty({ event_type: 'text-generation', is_finished: false, text: 'x' })).toBeGreaterThan(0.9)
  })
})
