import { describe, expect, it } from 'vitest'
import { chunksOfEach, withoutMillrace } from '../../../test/wire/event-segments.ts'
import type { StreamEvent } from '../../events.ts'

const begin: StreamEvent = { type: 'message-start', messageId: 'm', role: 'assistant' }
const call = (fields: object = {}): StreamEvent =>
  ({ type: 'tool-start', callId: 'c', name: 'get_tide', runBy: 'agent', ...fields }) as StreamEvent
const input = (value: object): StreamEvent => ({ type: 'tool-input', callId: 'c', input: value as never })
const output = (fields: object = {}): StreamEvent =>
  ({ type: 'tool-output', callId: 'c', status: 'ok', output: null, ...fields }) as StreamEvent

const visibleChunks = (profile: string | undefined, ...events: readonly StreamEvent[]) =>
  withoutMillrace(
    chunksOfEach([begin, ...events], profile)
      .flat()
      .slice(1),
  )
const segments = (...events: readonly StreamEvent[]) =>
  visibleChunks(undefined, ...events).map(({ data }) => (data as { readonly segment?: unknown } | undefined)?.segment)

describe('a call', () => {
  it('S3-46: is a segment when it starts, again with its arguments, and another one with its result', () => {
    const callFields = { type: 'tool_call', id: 'c', name: 'get_tide', server_label: 'harbour', display_name: 'Tide' }
    expect(
      segments(call({ server: 'harbour', title: 'Tide' }), input({ days: 2 }), output({ output: 'high' })),
    ).toEqual([
      { ...callFields, args: {} },
      { ...callFields, args: { days: 2 } },
      { type: 'tool_result', id: 'c', output: 'high' },
    ])
  })

  it('S3-46: is three standalone events in the other form', () => {
    expect(visibleChunks('tools', call(), input({ days: 2 }), output({ output: 'high' }))).toEqual([
      { type: 'tool_start', tool_id: 'c', tool_name: 'get_tide' },
      { type: 'tool_finalized', tool_id: 'c', args: { days: 2 } },
      { type: 'tool_result', tool_id: 'c', output: 'high' },
    ])
  })

  it('has its result in its own message, also if that has ended and another has begun', () => {
    const messageEnd: StreamEvent = { type: 'message-end', messageId: 'm' }
    const next: StreamEvent = { type: 'message-start', messageId: 'n', role: 'assistant' }
    for (const between of [[], [messageEnd], [messageEnd, next]]) {
      const chunks = visibleChunks(undefined, call(), input({}), ...between, output({ output: 'high' }))
      const events = chunks.flatMap(({ data }) => {
        const { segment, event } = (data ?? {}) as { segment?: { type: string }; event?: { id: string } }
        return segment?.type === 'tool_result' ? [event?.id] : []
      })
      expect(events).toEqual(['run/m'])
    }
  })

  it('streams its arguments in both forms', () => {
    const delta: StreamEvent = { type: 'tool-input-delta', callId: 'c', text: '{"days"' }
    const chunk = { type: 'tool_arguments_delta', tool_id: 'c', delta: '{"days"' }
    for (const profile of [undefined, 'tools']) expect(visibleChunks(profile, call(), delta)).toContainEqual(chunk)
  })

  it.each([
    [{ status: 'error', output: 'It broke.' }, 'It broke.'],
    [{ status: 'error', output: null, error: 'No tide.' }, 'No tide.'],
    [{ status: 'error', output: 3 }, 'failed'],
    [{ status: 'denied' }, 'denied'],
    [{ status: 'cancelled', output: '' }, 'cancelled'],
  ])('that ended with %j has an error, because clients recognise a failure only by it', (fields, error) => {
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

  it('is a segment of its own type that goes from status to status', () => {
    expect(segments(search, busy('searching'), busy('searching'), output())).toMatchObject([
      { type: 'web_search_call', id: 'c', status: 'in_progress' },
      { type: 'web_search_call', id: 'c', status: 'searching' },
      { type: 'web_search_call', id: 'c', status: 'completed' },
    ])
  })

  it('is events of its own type in the other form', () => {
    const chunks = visibleChunks(
      'tools',
      code,
      input({ code: 'print(1)' }),
      busy('interpreting'),
      output({ status: 'error' }),
    )
    expect(chunks).toEqual([
      { type: 'code_interpreter_call_in_progress', item_id: 'c' },
      { type: 'code_interpreter_call_code_done', item_id: 'c', code: 'print(1)' },
      { type: 'code_interpreter_call_interpreting', item_id: 'c' },
      { type: 'code_interpreter_call_failed', item_id: 'c' },
    ])
  })

  it('has a result besides its status if there is one', () => {
    expect(segments(search, input({ query: 'tide' }), output({ output: ['page'] })).slice(1)).toMatchObject([
      { type: 'web_search_call', args: { query: 'tide' } },
      { type: 'tool_result', output: ['page'] },
      { type: 'web_search_call', status: 'completed' },
    ])
  })

  it('is an ordinary call if the agent runs it', () => {
    expect(segments(call({ name: 'web_search' }))).toMatchObject([{ type: 'tool_call', name: 'web_search' }])
  })
})

describe('an event that the protocol has no type for', () => {
  it('is a segment of another type, or a chunk of type `millrace`', () => {
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
    expect(visibleChunks(undefined, { type: 'control', action: 'stop' })).toEqual([])
  })

  it('names its subagent in its segment', () => {
    const scope = { agentId: 'p' }
    const chunks = segments(
      { type: 'subagent-start', ...scope, name: 'pilot' },
      { type: 'status', message: 'Looking', level: 'info', ...scope },
      { type: 'subagent-end', ...scope, status: 'done' },
    )
    expect(chunks).toEqual([
      { type: 'subagent', agentId: 'p', name: 'pilot' },
      { type: 'status', message: 'Looking', level: 'info', millrace: scope },
      { type: 'subagent', agentId: 'p', name: 'pilot', status: 'done' },
    ])
  })
})

describe('the result of a call', () => {
  it('is a segment, so a text that goes on after it is sent as a whole and not as a delta', () => {
    const text = (words: string): StreamEvent => ({ type: 'block-delta', blockId: 'b', text: words })
    const start: StreamEvent = { type: 'block-start', blockId: 'b', kind: 'text' }
    expect(segments(call(), input({}), start, text('High'), output({ output: 1 }), text(' at six')).at(-1)).toEqual({
      type: 'text',
      id: 'b',
      text: 'High at six',
    })
  })
})
