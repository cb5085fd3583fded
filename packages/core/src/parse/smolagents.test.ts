import { describe, expect, it } from 'vitest'
import { parserOf, pushed, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { createReader } from '../read/read.ts'
import { recordOf } from '../source/source.ts'
import { smolagents } from './smolagents.ts'

const push = (...values: readonly object[]) => pushed(parserOf(smolagents), recordsOf(values))

const read = (...values: readonly object[]) => through(parserOf(smolagents), recordsOf(values))

const delta = (content: string | null, tool_calls?: object[]) => ({
  type: 'ChatMessageStreamDelta',
  content,
  tool_calls: tool_calls ?? null,
  token_usage: null,
})
const call = (id: string, name = 'get_tide') => ({ type: 'ToolCall', id, name, arguments: { harbour: 'Millport' } })
const output = (id: string, value: unknown, more: object = {}) => ({
  type: 'ToolOutput',
  id,
  output: value,
  observation: String(value),
  is_final_answer: false,
  tool_call: { id, name: 'get_tide', arguments: { harbour: 'Millport' } },
  ...more,
})
const action = (step_number: number, more: object = {}) => ({ type: 'ActionStep', step_number, ...more })
const plan = (content: string) => ({
  type: 'PlanningStep',
  plan: `The plan:\n${content}`,
  model_output_message: { role: 'assistant', content },
})

const kinds = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'block-start' ? [event.variant ?? event.kind] : []))
const texts = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'block-delta' ? [event.text] : []))

describe('smolagents', () => {
  it('S2-1: reads a planning step as a plan, with the text of the model', () => {
    const events = read(plan('Look first.'))
    expect(kinds(events)).toEqual(['plan'])
    expect(events).toContainEqual({ type: 'step-start', kind: 'planning', number: 1 })
    expect(events).toContainEqual({ type: 'block-patch', blockId: 'plan-1:text', text: 'Look first.' })
  })

  it('S2-2: reads a single action step: its thought, its calls, their result and its usage', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'python_interpreter', arguments: '1 + 1' } }]
    const token_usage = { input_tokens: 3, output_tokens: 4 }
    const events = read(
      action(1, { model_output: 'I add.', tool_calls, observations: '2', token_usage, timing: { duration: 0.25 } }),
    )
    expect(events).toMatchObject([
      { type: 'message-start', messageId: 'step-1' },
      { type: 'step-start', kind: 'action', number: 1 },
      { type: 'block-start', kind: 'text' },
      { type: 'block-patch', text: 'I add.' },
      { type: 'block-end' },
      { type: 'tool-start', callId: 'step-1:code', name: 'python_interpreter' },
      { type: 'tool-input', callId: 'step-1:code', input: '1 + 1', meta: { smolagents: { id: 'c' } } },
      { type: 'tool-output', callId: 'step-1:code', status: 'ok', output: '2' },
      { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 3, outputTokens: 4, durationMs: 250 },
      { type: 'step-end' },
      { type: 'message-end' },
    ])
  })

  it('S2-3: ends with the final answer, and keeps an object unchanged', () => {
    const answer = { title: 'Tides', content: 'At six.', sources: ['https://tides.example'] }
    const events = read({ type: 'FinalAnswerStep', output: answer })
    expect(texts(events)).toEqual([JSON.stringify(answer)])
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'success', result: answer })
    expect(texts(read({ type: 'FinalAnswerStep', output: 'At six.' }))).toEqual(['At six.'])
  })

  it('S2-4: passes deltas on at once when their kind is known', () => {
    const parser = smolagents.create()
    const pushOne = (value: object) => parser.push(value, recordOf(JSON.stringify(value)))
    pushOne(action(1))
    expect(texts(pushOne(delta('I ')))).toEqual(['I '])
    expect(texts(pushOne(delta('wait.')))).toEqual(['wait.'])
    const fragment = { index: 0, id: 'c', type: 'function', function: { name: 'wait', arguments: '{"ti' } }
    expect(pushOne(delta('', [fragment]))).toEqual([
      { type: 'tool-start', callId: 'c', name: 'wait', runBy: 'agent' },
      { type: 'tool-input-delta', callId: 'c', text: '{"ti' },
    ])
  })

  it('S2-5: reads a call of the model, whose arguments are JSON in a string', () => {
    const raw = { type: 'ChatMessageToolCall', id: 'c', function: { name: 'wait', arguments: '{"minutes":2}' } }
    expect(push(raw, action(1))).toContainEqual({ type: 'tool-input', callId: 'c', input: { minutes: 2 } })
  })

  it('S2-6: uses an output marked as the final answer if no final step follows', () => {
    const events = read(delta('Done.'), call('c'), { type: 'ActionOutput', output: 'At six.', is_final_answer: true })
    expect(texts(events)).toEqual(['Done.', 'At six.'])
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
  })

  it.each([
    ['its fields', { id: 'c', name: 'get_tide', arguments: { harbour: 'Millport' } }],
    [
      'its own dictionary',
      { id: 'c', type: 'function', function: { name: 'get_tide', arguments: { harbour: 'Millport' } } },
    ],
  ])('S2-7: reads a tool call given as %s', (_how, raw) => {
    expect(push(raw, action(1))).toMatchObject([
      { type: 'message-start' },
      { type: 'step-start' },
      { type: 'tool-start', callId: 'c', name: 'get_tide', runBy: 'agent' },
      { type: 'tool-input', callId: 'c', input: { harbour: 'Millport' } },
      { type: 'tool-output' },
      { type: 'step-end' },
      { type: 'message-end' },
    ])
  })

  it('S2-8: gives each output to its call, in the order in which the tools finish', () => {
    const events = push(delta('x'), call('a'), call('b'), output('b', 'two'), output('a', 'one'))
    expect(events.slice(-2)).toEqual([
      { type: 'tool-output', callId: 'b', status: 'ok', output: 'two' },
      { type: 'tool-output', callId: 'a', status: 'ok', output: 'one' },
    ])
  })

  it('S2-9: reads deltas before a planning step as its plan and those before an action as its thought', () => {
    const events = read(delta('Plan'), plan('Plan'), delta('Act'), call('a'), action(1), delta('Again'), plan('Again'))
    expect(kinds(events)).toEqual(['plan', 'text', 'plan'])
    expect(texts(events)).toEqual(['Plan', 'Act', 'Again'])
  })

  it('S2-9: recognises a plan from its first delta when the planning interval is known', () => {
    const once = [delta('P'), plan('P'), delta('A'), action(1), delta('P'), plan('P'), delta('A'), action(2)]
    expect(kinds(push(...once, delta('And')).slice(push(...once).length))).toEqual(['plan'])
  })

  it('holds text back only as long as it may be a plan', () => {
    expect(texts(push(delta('One')))).toEqual([])
    expect(texts(push(delta('One'), call('a')))).toEqual(['One'])
    expect(texts(push(delta('One'), action(1), delta('Two')))).toEqual(['One', 'Two'])
    const tooLong = 'x'.repeat(2 ** 20)
    expect(texts(push(delta(tooLong), delta('!'))).join('')).toBe(`${tooLong}!`)
  })

  it('emits what it holds back when the stream is closed from outside', () => {
    const reader = createReader(smolagents)
    reader.push(recordOf(JSON.stringify(delta('A plan or a thought'))))
    expect(texts(reader.close({ type: 'run-end', outcome: 'interrupted' }))).toEqual(['A plan or a thought'])
  })

  it('emits a step once that arrives twice, and the reason for the end of the run', () => {
    const last = action(1, { model_output: 'Out of steps' })
    const events = read(last, last, { type: 'FinalAnswerStep', output: 'Nothing.' })
    expect(events.filter(({ type }) => type === 'step-start')).toHaveLength(2)
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'success', reason: 'max_steps' })
  })

  it('fails the call that an error names and cancels the others', () => {
    const error = { type: 'AgentToolExecutionError', message: "Error executing tool 'get_wind': no gauge" }
    const events = push(delta('x'), call('a'), call('b', 'get_wind'), action(1, { error }))
    expect(events).toContainEqual({ type: 'tool-output', callId: 'a', status: 'cancelled', output: null })
    expect(events).toContainEqual({
      type: 'tool-output',
      callId: 'b',
      status: 'error',
      output: error.message,
      error: error.message,
    })
    expect(events.some(({ type }) => type === 'error')).toBe(false)
  })

  it('keeps only those input messages of the model that are new', () => {
    const [one, two] = [{ role: 'user' }, { role: 'assistant' }]
    const events = push(action(1, { model_input_messages: [one] }), action(2, { model_input_messages: [one, two] }))
    const kept = events.flatMap((event) => (event.type === 'step-end' ? [event.meta?.smolagents] : []))
    expect(kept).toEqual([{ model_input_messages: [one] }, { model_input_messages: [two] }])
  })
})
