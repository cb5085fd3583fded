import { describe, expect, it } from 'vitest'
import { chunksOfEach, seenBy } from '../../../test/wire/event-segments.ts'
import type { StreamEvent } from '../../events.ts'

const begin: StreamEvent = { type: 'message-start', messageId: 'm', role: 'assistant' }
const call = (fields: object = {}): StreamEvent =>
  ({ type: 'tool-start', callId: 'c', name: 'get_tide', runBy: 'agent', ...fields }) as StreamEvent
const input = (value: object): StreamEvent => ({ type: 'tool-input', callId: 'c', input: value as never })
const output = (fields: object = {}): StreamEvent =>
  ({ type: 'tool-output', callId: 'c', status: 'ok', output: null, ...fields }) as StreamEvent

const said = (profile: string | undefined, ...events: readonly StreamEvent[]) =>
  seenBy(
    chunksOfEach([begin, ...events], profile)
      .flat()
      .slice(1),
  )
const segments = (...events: readonly StreamEvent[]) =>
  said(undefined, ...events).map(({ data }) => (data as { readonly segment?: unknown } | undefined)?.segment)

describe('a call', () => {
  it('S3-46: is a segment when it starts, again with its arguments, and another one with its result', () => {
    const told = { type: 'tool_call', id: 'c', name: 'get_tide', server_label: 'harbour', display_name: 'Tide' }
    expect(
      segments(call({ server: 'harbour', title: 'Tide' }), input({ days: 2 }), output({ output: 'high' })),
    ).toEqual([
      { ...told, args: {} },
      { ...told, args: { days: 2 } },
      { type: 'tool_result', id: 'c', output: 'high' },
    ])
  })

  it('S3-46: is three events of its own in the other form', () => {
    expect(said('tools', call(), input({ days: 2 }), output({ output: 'high' }))).toEqual([
      { type: 'tool_start', tool_id: 'c', tool_name: 'get_tide' },
      { type: 'tool_finalized', tool_id: 'c', args: { days: 2 } },
      { type: 'tool_result', tool_id: 'c', output: 'high' },
    ])
  })

  it('streams its arguments in both forms', () => {
    const delta: StreamEvent = { type: 'tool-input-delta', callId: 'c', text: '{"days"' }
    const chunk = { type: 'tool_arguments_delta', tool_id: 'c', delta: '{"days"' }
    for (const profile of [undefined, 'tools']) expect(said(profile, call(), delta)).toContainEqual(chunk)
  })

  it.each([
    [{ status: 'error', output: 'It broke.' }, 'It broke.'],
    [{ status: 'error', output: null, error: 'No tide.' }, 'No tide.'],
    [{ status: 'error', output: 3 }, 'failed'],
    [{ status: 'denied' }, 'denied'],
    [{ status: 'cancelled', output: '' }, 'cancelled'],
  ])('that ended with %j has an error, for clients know a failure by nothing else', (fields, error) => {
    expect(segments(call(), input({}), output(fields)).at(-1)).toMatchObject({ type: 'tool_result', error })
  })
})

describe('a tool that the provider runs', () => {
  const search = call({ name: 'web_search', runBy: 'provider' })
  const code = call({ name: 'code_interpreter', runBy: 'provider' })
  const busy = (status: string): StreamEvent => ({
    type: 'tool-progress',
    callId: 'c',
    channel: 'data',
    data: { status },
  })

  it('is a segment of its own kind that goes from status to status', () => {
    expect(segments(search, busy('searching'), busy('searching'), output())).toMatchObject([
      { type: 'web_search_call', id: 'c', status: 'in_progress' },
      { type: 'web_search_call', id: 'c', status: 'searching' },
      { type: 'web_search_call', id: 'c', status: 'completed' },
    ])
  })

  it('is events of its own kind in the other form', () => {
    const chunks = said('tools', code, input({ code: 'print(1)' }), busy('interpreting'), output({ status: 'error' }))
    expect(chunks).toEqual([
      { type: 'code_interpreter_call_in_progress', item_id: 'c' },
      { type: 'code_interpreter_call_code_done', item_id: 'c', code: 'print(1)' },
      { type: 'code_interpreter_call_interpreting', item_id: 'c' },
      { type: 'code_interpreter_call_failed', item_id: 'c' },
    ])
  })

  it('has a result beside its status where there is one', () => {
    expect(segments(search, input({ query: 'tide' }), output({ output: ['page'] })).slice(1)).toMatchObject([
      { type: 'web_search_call', args: { query: 'tide' } },
      { type: 'tool_result', output: ['page'] },
      { type: 'web_search_call', status: 'completed' },
    ])
  })

  it('is a call like any other where the agent runs it', () => {
    expect(segments(call({ name: 'web_search' }))).toMatchObject([{ type: 'tool_call', name: 'web_search' }])
  })
})

describe('what the protocol has no word for', () => {
  it('is a segment of another type, or stands under our name', () => {
    const item = { id: '1', content: 'Read', status: 'pending' } as const
    const todos = (op: 'set' | 'update', status: 'pending' | 'completed'): StreamEvent => ({
      type: 'todos',
      listId: 'l',
      op,
      items: [{ ...item, content: op === 'set' ? 'Read' : '', status }],
    })
    const whole = { type: 'todos', listId: 'l', op: 'set' }
    expect(segments(todos('set', 'pending'), todos('update', 'completed'))).toEqual([
      { ...whole, items: [item] },
      { ...whole, items: [{ ...item, status: 'completed' }] },
    ])
    expect(said(undefined, { type: 'control', action: 'stop' })).toEqual([])
  })

  it('tells whose segment it is where a subagent speaks', () => {
    const place = { agentId: 'p' }
    const chunks = segments(
      { type: 'subagent-start', ...place, name: 'pilot' },
      { type: 'status', message: 'Looking', level: 'info', ...place },
      { type: 'subagent-end', ...place, status: 'done' },
    )
    expect(chunks).toEqual([
      { type: 'subagent', agentId: 'p', name: 'pilot' },
      { type: 'status', message: 'Looking', level: 'info', millrace: place },
      { type: 'subagent', agentId: 'p', name: 'pilot', status: 'done' },
    ])
  })
})
