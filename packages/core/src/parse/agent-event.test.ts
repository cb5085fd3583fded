import { describe, expect, it } from 'vitest'
import { parserOf, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import type { Json } from '../json.ts'
import { agentEvent } from './agent-event.ts'

const read = (...values: readonly object[]) => through(parserOf(agentEvent), recordsOf(values))

const call = (toolName: string, toolArgs: Json = '{}') => ({ type: 'tool_call', toolName, toolArgs })
const toolProgress = (toolName: string, data: Json) => ({ type: 'tool_progress', toolName, data })
const result = (toolName: string, output: string, more: object = {}) => ({
  type: 'tool_result',
  toolName,
  output,
  ...more,
})
const stream = (content: string) => ({ type: 'stream', content })

const outputs = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-output' ? [[event.callId, event.output]] : []))

describe('AgentEvents', () => {
  it('S1-5: reads each thought as a separate reasoning block', () => {
    expect(read({ type: 'thought', content: 'Hm.' })).toEqual([
      { type: 'block-start', blockId: 'b1', kind: 'reasoning', variant: 'thinking' },
      { type: 'block-delta', blockId: 'b1', text: 'Hm.' },
      { type: 'block-end', blockId: 'b1' },
    ])
    expect(() => read({ type: 'thought' })).toThrow()
  })

  it('S1-6: reads the arguments of a call from their JSON, and keeps text that is not JSON', () => {
    expect(read(call('get_tide', '{"days":2}'))).toEqual([
      { type: 'tool-start', callId: 'call-1', name: 'get_tide', runBy: 'agent' },
      { type: 'tool-input', callId: 'call-1', input: { days: 2 } },
    ])
    expect(read(call('get_tide', '{"da'))[1]).toMatchObject({ text: '{"da', error: 'The input is not JSON.' })
  })

  it.each([
    ['text', 'Hello', { channel: 'text', text: 'Hello' }],
    ['the output of a command', { subtype: 'stdout_chunk', content: 'a\n' }, { channel: 'stdout', text: 'a\n' }],
    [
      'a percentage',
      { subtype: 'x', percent: 65 },
      { channel: 'data', data: { subtype: 'x', percent: 65 }, percent: 65 },
    ],
    ['any object', { deep: [1] }, { channel: 'data', data: { deep: [1] } }],
    ['null', null, { channel: 'data', data: null }],
  ])('S1-7: keeps %s as progress', (_what, data, fields) => {
    expect(read(call('t'), toolProgress('t', data))[2]).toEqual({ type: 'tool-progress', callId: 'call-1', ...fields })
  })

  it('S1-8: reads a result, and an error if the result is one', () => {
    expect(read(call('t'), result('t', 'fine'))[2]).toEqual({
      type: 'tool-output',
      callId: 'call-1',
      status: 'ok',
      output: 'fine',
    })
    expect(read(call('t'), result('t', 'broken', { isError: true }))[2]).toEqual({
      type: 'tool-output',
      callId: 'call-1',
      status: 'error',
      output: 'broken',
      error: 'broken',
    })
  })

  it('S1-9: joins the chunks of the answer until other content begins', () => {
    const events = read(stream('Hello '), stream('you'), { type: 'thought', content: 'Hm.' }, stream('there'))
    const deltas = events.flatMap((event) => (event.type === 'block-delta' ? [[event.blockId, event.text]] : []))
    expect(deltas).toEqual([
      ['b1', 'Hello '],
      ['b1', 'you'],
      ['b2', 'Hm.'],
      ['b3', 'there'],
    ])
  })

  it('S1-10: succeeds with the final event, and only with it', () => {
    expect(read(stream('Hi'), { type: 'final' }).at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
    expect(read(stream('Hi')).some(({ type }) => type === 'run-end')).toBe(false)
  })

  it('S1-11: ends with the message of an error', () => {
    const error = { message: 'Broken.' }
    expect(read({ type: 'error', error: 'Broken.' })).toEqual([{ type: 'run-end', outcome: 'error', error }])
    expect(read({ type: 'cancelled', reason: 'stop' })).toEqual([
      { type: 'run-end', outcome: 'cancelled', reason: 'stop' },
    ])
  })

  it('S1-12: reads the unconverted progress of a tool, each time that it comes', () => {
    const raw = { type: 'progress', toolName: 't', data: 'x' }
    expect(read(call('t'), raw, raw)).toEqual(read(call('t'), toolProgress('t', 'x'), toolProgress('t', 'x')))
  })

  it('S1-13: reads the unconverted result of a tool, once per call', () => {
    const raw = { type: 'result', toolName: 't', output: 'x' }
    expect(outputs(read(call('t'), call('t'), raw, raw))).toEqual([
      ['call-1', 'x'],
      ['call-2', 'x'],
    ])
  })

  it('assigns results to parallel calls in order, and to nested calls from the innermost', () => {
    const [one, two] = [result('t', 'one'), result('t', 'two')]
    expect(outputs(read(call('t'), call('t'), one, two))).toEqual([
      ['call-1', 'one'],
      ['call-2', 'two'],
    ])
    expect(outputs(read(call('t'), toolProgress('t', 'x'), call('t'), one, two))).toEqual([
      ['call-2', 'one'],
      ['call-1', 'two'],
    ])
  })

  it('uses ids, times and sequence numbers if a server sends them', () => {
    const events = read(
      { ...call('t'), callId: 'a', seq: 1, at: 5 },
      { ...call('t'), callId: 'b', seq: 2 },
      { ...result('t', 'two'), callId: 'b', seq: 3 },
      { ...result('t', 'two'), callId: 'b', seq: 3 },
    )
    expect(events[0]).toMatchObject({ type: 'tool-start', callId: 'a', sentAt: 5 })
    expect(outputs(events)).toEqual([['b', 'two']])
  })
})
