import { describe, expect, it } from 'vitest'
import { ofType, parserOf, recordsOf, through } from '../../test/parse.ts'
import { agentLines } from './agent-lines.ts'

/** The events of these values from the parser alone, including those of the end. */
const read = (...values: readonly object[]) => through(parserOf(agentLines), recordsOf(values))

const line = (type: string, data: object = {}) => ({ type, data })

const message = (id: string) => ({ type: 'message_start', message: { id, role: 'assistant', model: 'm', content: [] } })
const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, fields: object) => ({ type: 'content_block_delta', index, delta: fields })
const stop = (index: number) => ({ type: 'content_block_stop', index })

describe('the events of the first document', () => {
  it('S0-8: begins a run at its start, before anything else', () => {
    const events = read(line('start', { model: 'm' }), line('text', { content: 'a' }), line('done'))
    expect(events[0]).toEqual({ type: 'run-start', model: 'm' })
    expect(ofType(events, 'run-start')).toHaveLength(1)
  })

  it('S0-9: ends a run once at done, after everything else', () => {
    const events = read(line('start'), line('text', { content: 'a' }), line('done'))
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
    expect(ofType(events, 'run-end')).toHaveLength(1)
  })

  it('S0-10: keeps the message of an error, or states that an error occurred', () => {
    expect(read(line('error', { message: 'x' }))[0]).toEqual({ type: 'error', message: 'x' })
    expect(read(line('error'))[0]).toEqual({ type: 'error', message: 'An error occurred' })
    expect(read({ type: 'error', message: 'y' })[0]).toEqual({ type: 'error', message: 'y' })
    expect(read({ type: 'error' })[0]).toEqual({ type: 'error', message: 'An error occurred' })
  })

  it('S0-11: maps a status line to a status without a newline, and an empty one to no event', () => {
    expect(read(line('status', { message: 'At work' }), line('status', { message: '' }))).toEqual([
      { type: 'status', message: 'At work', level: 'info' },
    ])
  })

  it('S0-12, S0-13: reads a text block of the Claude API and its deltas', () => {
    const events = read(
      message('m1'),
      block(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'Hello' }),
    )
    const [start] = ofType(events, 'block-start')
    expect(start).toMatchObject({ kind: 'text', blockId: expect.any(String) })
    expect(ofType(events, 'block-delta')).toMatchObject([{ blockId: start?.blockId, text: 'Hello' }])
  })

  it('S0-14, S0-15: reads a thinking block of the Claude API before its deltas, with one id', () => {
    const thinking = [
      block(0, { type: 'thinking', thinking: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
    ]
    const events = read(message('m1'), ...thinking).filter(({ type }) => type.startsWith('block-'))
    const blockId = ofType(events, 'block-start')[0]?.blockId
    expect(events).toMatchObject([
      { type: 'block-start', kind: 'reasoning', blockId },
      { type: 'block-delta', text: 'Hm', blockId },
    ])
  })

  it('S0-16, S0-17, S0-18: reads a streamed tool call of the Claude API to its complete input', () => {
    const events = read(
      message('m1'),
      block(0, { type: 'tool_use', id: 'toolu_1', name: 'weigh', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"grams"' }),
      delta(0, { type: 'input_json_delta', partial_json: ':5}' }),
      stop(0),
    )
    expect(ofType(events, 'tool-start')).toMatchObject([{ callId: 'toolu_1', name: 'weigh', runBy: 'agent' }])
    const deltas = ofType(events, 'tool-input-delta').map(({ text }) => text)
    expect(JSON.parse(deltas.join(''))).toEqual({ grams: 5 })
    expect(deltas).toHaveLength(2)
    expect(ofType(events, 'tool-input')).toMatchObject([{ callId: 'toolu_1' }])
  })

  it('S0-19: gives a result to its call', () => {
    const events = read(
      line('tool_use', { id: 'a', name: 'weigh', input: {} }),
      line('tool_use', { id: 'b', name: 'weigh', input: {} }),
      line('tool_result', { tool_use_id: 'b', content: 'five' }),
      line('tool_result', { tool_call_id: 'a', content: 'six' }),
    )
    expect(ofType(events, 'tool-output')).toEqual([
      { type: 'tool-output', callId: 'b', status: 'ok', output: 'five' },
      { type: 'tool-output', callId: 'a', status: 'ok', output: 'six' },
    ])
  })

  it('S0-20: adds the usage of a turn', () => {
    const usage = { input_tokens: 10, output_tokens: 5, reasoning_tokens: 2, cached_tokens: 4 }
    expect(read(line('usage', usage))).toEqual([
      {
        type: 'usage',
        scope: 'step',
        mode: 'add',
        inputTokens: 10,
        outputTokens: 5,
        reasoningTokens: 2,
        cacheReadTokens: 4,
      },
    ])
  })

  it('S0-21: keeps session, duration, turns and cost of a result, in either spelling of the session', () => {
    const stats = { duration_ms: 1234, num_turns: 3, total_cost_usd: 0.5, is_error: false }
    expect(read(line('result', { session_id: 's1', ...stats }))).toEqual([
      { type: 'usage', scope: 'run', mode: 'snapshot', durationMs: 1234, turns: 3, costUsd: 0.5 },
      { type: 'metadata', metadata: { sessionId: 's1' } },
    ])
    expect(read(line('result', { sessionId: 's2', total_cost_usd: null }))).toEqual([
      { type: 'metadata', metadata: { sessionId: 's2' } },
    ])
  })

  it.each(['todos', 'todo_create'])('S0-22: maps %s to a list', (type) => {
    expect(read(line(type, { items: [{ content: 'Dig', status: 'in_progress' }, { activeForm: 'Sowing' }] }))).toEqual([
      {
        type: 'todos',
        listId: 'todos',
        op: 'set',
        items: [
          { id: '1', content: 'Dig', status: 'in_progress' },
          { id: '2', content: 'Sowing', status: 'pending' },
        ],
        meta: { millrace: { todoOp: 'create' } },
      },
    ])
  })

  it('S0-23: replaces the list at todo_update, and clears it with an empty one', () => {
    const [full, empty] = ofType(
      read(line('todo_update', { items: [{ content: 'Dig', status: 'odd' }] }), line('todo_update', { items: [] })),
      'todos',
    )
    expect(full).toMatchObject({ op: 'set', items: [{ id: '1', content: 'Dig', status: 'pending' }] })
    expect(full?.meta).toEqual({ millrace: { todoOp: 'update' } })
    expect(empty).toMatchObject({ op: 'set', items: [] })
  })

  it('S0-24: marks the item at the index as completed, whether it is given as text or as an object', () => {
    const items = [{ content: 'Dig' }, { content: 'Sow' }]
    const events = read(
      line('todos', { items }),
      line('todo_done', { item: 'Sow', index: 1 }),
      line('todo_done', { item: { content: 'Dig', status: 'completed' }, index: 0 }),
      line('todo_done', { item: 'Sow', index: 7 }),
      line('todo_done', { index: 0 }),
    )
    const done = ofType(events, 'todos').filter(({ op }) => op === 'update')
    expect(done.flatMap((event) => event.items)).toEqual([
      { id: '2', content: 'Sow', status: 'completed' },
      { id: '1', content: 'Dig', status: 'completed' },
      { id: '2', content: 'Sow', status: 'completed' },
      { id: '1', content: 'Dig', status: 'completed' },
    ])
    expect(done[0]?.meta).toEqual({ millrace: { todoOp: 'done' } })
  })

  it('S0-25: keeps unknown lines unchanged', () => {
    const odd = [
      line('oven_door', { open: true, ts: 5 }),
      { level: 'debug' },
      { type: 7, data: {} },
      line('usage', { a: 1 }),
    ]
    expect(read(...odd, { type: 'text', data: ['a'] })).toEqual(
      [...odd, { type: 'text', data: ['a'] }].map((value) => ({ type: 'raw', value, reason: 'unmapped' })),
    )
  })
})
