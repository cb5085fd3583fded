import { describe, expect, it } from 'vitest'
import { ofType, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { createReader } from '../read/read.ts'
import { recordOf } from '../source/source.ts'
import { claudeAgentSdk } from './claude-agent-sdk.ts'
import { getParser } from './index.ts'

const text = (textDeltas: string) => ({ type: 'text', text: textDeltas })
const call = (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input })
const line = (id: string | undefined, content: readonly object[], more: object = {}) => ({
  type: 'assistant',
  message: { ...(id !== undefined && { id }), content },
  parent_tool_use_id: null,
  ...more,
})
const result = (tool_use_id: string, content: unknown, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, content }] },
  ...more,
})
const partial = (event: object, more: object = {}) => ({ type: 'stream_event', event, ...more })
const started = (id: string, more: object = {}) =>
  partial({ type: 'message_start', message: { id, content: [] } }, more)
const opened = (index: number, content_block: object) => partial({ type: 'content_block_start', index, content_block })
const blockDelta = (index: number, delta: object) => partial({ type: 'content_block_delta', index, delta })
const init = { type: 'system', subtype: 'init', session_id: 's', model: 'm' }
const done = (more: object = {}) => ({ type: 'result', subtype: 'success', is_error: false, session_id: 's', ...more })

const read = (...values: readonly unknown[]) => through(createReader(claudeAgentSdk), recordsOf(values))

const textDeltas = (events: readonly StreamEvent[]) => ofType(events, 'block-delta').map((event) => event.text)
const outcomeOf = (events: readonly StreamEvent[]) => ofType(events, 'run-end')[0]?.outcome

describe('a whole line', () => {
  it.each([{}, { role: 'model', parts: [{ text: 'Elsewhere, words stand here.' }] }, { content: null }])(
    'is kept if its message has no content: %j',
    (message) => {
      const values = [
        { type: 'assistant', message },
        { type: 'user', message },
      ]
      const kept = values.map((value) => ({ type: 'raw', value, reason: 'unmapped' }))
      expect(ofType(read(init, ...values, done()), 'raw')).toEqual(kept)
    },
  )

  it('without content does not end a session as a success', () => {
    const message = { role: 'model', parts: [{ text: 'Elsewhere, words stand here.' }] }
    expect(outcomeOf(read({ type: 'assistant', sessionId: 's', uuid: 'u', message }))).toBe('interrupted')
  })

  it('that repeats what was streamed is emitted once', () => {
    const streamed = [started('a'), opened(0, { type: 'text' }), blockDelta(0, { type: 'text_delta', text: 'once' })]
    expect(textDeltas(read(init, ...streamed, line('a', [text('once')]), done()))).toEqual(['once'])
  })

  it('belongs to its agent: a message of a subagent with the same id is another message', () => {
    const task = line('a', [call('t', 'Task', { prompt: 'Look.' })])
    const events = read(init, task, line('b', [text('Same.')], { parent_tool_use_id: 't' }), line('b', [text('Same.')]))
    expect(ofType(events, 'block-delta').map((event) => [event.text, event.agentId])).toEqual([
      ['Same.', 't'],
      ['Same.', undefined],
    ])
  })

  it('belongs to the message of its id, which has one start', () => {
    const events = read(init, line('a', [text('x')]), line('a', [call('t', 'Bash')]), result('t', 'ok'), line('b', []))
    expect(ofType(events, 'message-start')).toHaveLength(1)
    expect(ofType(events, 'tool-start')[0]?.messageId).toBe('a')
  })

  it('that repeats the message so far adds what is new', () => {
    const events = read(init, line('a', [text('x')]), line('a', [text('x'), text('y')]))
    expect(textDeltas(events)).toEqual(['x', 'y'])
  })

  it('with the id and content of an earlier line is not read again', () => {
    const twice = line('a', [text('x')], { uuid: 'u' })
    expect(textDeltas(read(init, twice, twice))).toEqual(['x'])
  })

  it('with the id of an earlier line and other text is read', () => {
    const [one, other] = ['x', 'y'].map((letter) => line('a', [text(letter)], { uuid: 'u' }))
    expect(textDeltas(read(init, one, other))).toEqual(['x', 'y'])
  })

  it('has the input of a streamed call, which the end of its block does not repeat', () => {
    const streamed = [
      started('a'),
      opened(0, call('t', 'Bash')),
      blockDelta(0, { type: 'input_json_delta', partial_json: '{' }),
    ]
    const stop = partial({ type: 'content_block_stop', index: 0 })
    const events = read(init, ...streamed, line('a', [call('t', 'Bash', { x: 1 })]), result('t', 'ok'), stop)
    expect(ofType(events, 'tool-input').map((event) => event.input)).toEqual([{ x: 1 }])
    expect(ofType(events, 'raw')).toEqual([])
  })
})

describe('a superseded line', () => {
  const lines = [line('a', [text('one')], { uuid: 'u1' }), line('a', [text('two')], { uuid: 'u2' })]

  it('retracts its message with the last of its lines', () => {
    const events = read(init, ...lines, line('b', [text('three')], { supersedes: ['u1', 'u2'] }))
    expect(ofType(events, 'message-retract').map((event) => event.messageIds)).toEqual([['a']])
    expect(ofType(events, 'block-patch')).toEqual([])
  })

  it('is emptied if other lines of its message stay', () => {
    const events = read(init, ...lines, line('b', [text('three')], { supersedes: ['u2'] }))
    expect(ofType(events, 'message-retract')).toEqual([])
    expect(ofType(events, 'block-patch').map((event) => [event.blockId, event.text])).toEqual([['a:1', '']])
  })

  it('of a subagent is emptied, because a subagent is one segment', () => {
    const under = { parent_tool_use_id: 't', uuid: 'u1' }
    const events = read(init, line('a', [text('one')], under), line('b', [text('two')], { supersedes: ['u1'] }))
    expect(ofType(events, 'block-patch').map((event) => [event.agentId, event.text])).toEqual([['t', '']])
  })
})

describe('a subagent', () => {
  it('of an unknown tool is announced and ends with its call', () => {
    const inside = line('b', [text('In.')], { parent_tool_use_id: 't' })
    const events = read(init, line('a', [call('t', 'Skill')]), inside, result('t', 'Out.'), done())
    expect(ofType(events, 'subagent-start').map(({ agentId, name, callId }) => [agentId, name, callId])).toEqual([
      ['t', 'Skill', 't'],
    ])
    expect(ofType(events, 'subagent-end').map(({ status, summary }) => [status, summary])).toEqual([['done', 'Out.']])
  })

  it('in the background ends when its task does, not with its call', () => {
    const task = line('a', [call('t', 'Agent', { prompt: 'Watch.', run_in_background: true })])
    const launched = result('t', 'Async agent launched.', { tool_use_result: { status: 'async_launched' } })
    const note = { type: 'system', subtype: 'task_notification', tool_use_id: 't', status: 'failed', summary: 'Lost.' }
    const events = read(init, task, launched, done(), note)
    expect(ofType(events, 'subagent-end').map(({ status, summary }) => [status, summary])).toEqual([
      ['failed', 'Lost.'],
    ])
  })

  it('gets its task once', () => {
    const task = line('a', [call('t', 'Task', { prompt: 'Look.' })])
    const prompt = { type: 'user', message: { content: 'Look.' }, parent_tool_use_id: 't' }
    expect(textDeltas(read(init, task, prompt))).toEqual([])
  })
})

describe('figures', () => {
  it('of two turns: tokens add up, money is the last total', () => {
    const turn = (total_cost_usd: number) => done({ total_cost_usd, num_turns: 1, usage: { input_tokens: 5 } })
    const usage = ofType(
      read(init, line('a', [text('x')]), turn(0.1), init, line('b', [text('y')]), turn(0.3)),
      'usage',
    )
    expect(usage.filter(({ mode }) => mode === 'add').map(({ inputTokens }) => inputTokens)).toEqual([5, 5])
    expect(usage.flatMap(({ costUsd }) => costUsd ?? [])).toEqual([0.1, 0.3])
  })

  it('that every line of a message repeats are emitted once', () => {
    const counted = (content: object) => ({
      type: 'assistant',
      message: { id: 'a', content: [content], usage: { input_tokens: 3, output_tokens: 1 } },
    })
    expect(ofType(read(init, counted(text('x')), counted(call('t', 'Bash'))), 'usage')).toHaveLength(1)
  })
})

describe('the end', () => {
  it('is the last result, and a turn that failed before is shown', () => {
    const failed = done({ subtype: 'error_max_turns', is_error: true, errors: ['Too many turns.'] })
    const events = read(init, line('a', [text('x')]), failed, init, line('b', [text('y')]), done())
    expect(outcomeOf(events)).toBe('success')
    expect(ofType(events, 'error').map(({ message, code }) => [message, code])).toEqual([
      ['Too many turns.', 'error_max_turns'],
    ])
  })

  it('of a live stream without a result is an interruption', () => {
    expect(outcomeOf(read(init, line('a', [text('x')])))).toBe('interrupted')
    expect(outcomeOf(read(init, line('a', [text('x')]), done(), line('b', [text('y')])))).toBe('interrupted')
  })

  it('of a stored session is the answer, unless a call is open', () => {
    expect(outcomeOf(read(line('a', [text('x')])))).toBe('success')
    expect(outcomeOf(read(line('a', [call('t', 'Bash')])))).toBe('interrupted')
  })

  it('is an error if the result is one, whatever its subtype', () => {
    const events = read(init, line('a', [text('x')]), done({ is_error: true, result: 'No credit.' }))
    expect(ofType(events, 'run-end')[0]).toMatchObject({ outcome: 'error', error: { message: 'No credit.' } })
  })
})

describe('names', () => {
  it.each(['claude', 'claude-code', 'claude-agent-sdk'])('%s reads these lines', (name) => {
    const reader = createReader(getParser(name))
    const events = [init, line('a', [text('x')])].flatMap((value) => reader.push(recordOf(JSON.stringify(value))))
    expect(textDeltas(events)).toEqual(['x'])
  })
})

describe('a permission', () => {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 'c', input: {} }
  const ask = { type: 'control_request', request_id: 'q', request }
  const asking = [init, line('a', [call('c', 'Bash')]), ask]
  const approvalsIn = (...values: readonly unknown[]) =>
    ofType(read(...asking, ...values, done()), 'approval').map(({ state, reason }) => [state, reason])

  it('expires if its call has a result and the stream shows no response', () => {
    expect(approvalsIn(result('c', 'Done.'))).toEqual([
      ['requested', undefined],
      ['expired', 'went-on'],
    ])
  })

  it('that is denied in the stream stays denied when the result of the denied call follows', () => {
    const response = { subtype: 'success', request_id: 'q', response: { behavior: 'deny', message: 'No.' } }
    expect(approvalsIn({ type: 'control_response', response }, result('c', 'No.'))).toEqual([
      ['requested', undefined],
      ['denied', undefined],
    ])
  })
})
