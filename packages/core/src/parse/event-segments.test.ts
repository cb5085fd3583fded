import { describe, expect, it } from 'vitest'
import { parserOf, pushed, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { eventSegments } from './event-segments.ts'

const push = (...values: readonly object[]) => pushed(parserOf(eventSegments), recordsOf(values))

const read = (...values: readonly object[]) => through(parserOf(eventSegments), recordsOf(values))

const event = (id: string, segments: readonly object[] = [], role = 'assistant') => ({ id, role, segments })
const start = (id: string) => ({ type: 'event_start', data: { event: event(id) } })
const final = (id: string, segments: readonly object[]) => ({ type: 'message_final', event: event(id, segments) })
const token = (content: string) => ({ type: 'token', content })
const segment = (value: object) => ({ type: 'segment', data: { segment: value, segmentIndex: 0 } })
const text = (words: string) => ({ type: 'text', text: words })

const texts = (events: readonly StreamEvent[]) =>
  events.flatMap((each) => (each.type === 'block-delta' ? [each.text] : []))
const types = (events: readonly StreamEvent[]) => events.map(({ type }) => type)

describe('Events and segments', () => {
  it.each(['done', 'complete'])('end with the Event that is open if the stream says that it is %s', (type) => {
    const events = read(start('e'), token('Good morning'), { type })
    expect(events.slice(-2)).toEqual([
      { type: 'message-end', messageId: 'e' },
      { type: 'run-end', outcome: 'success' },
    ])
    const failed = { type: 'error', error: 'overloaded' }
    const ends = [...read(start('e'), token('Good')), ...read(start('e'), token('Good'), failed, { type })]
    expect(ends.filter((each) => each.type === 'run-end')).toMatchObject([{ outcome: 'error' }])
    const longer = read(start('e'), token('Good'), { type }, start('f'), token('Morning'), { type })
    expect(longer.filter((each) => each.type === 'message-end')).toHaveLength(2)
    expect(longer.at(-1)).toMatchObject({ outcome: 'success' })
  })

  it('recognises a segment that repeats a delta up to 64 deltas later', () => {
    const words = Array.from({ length: 70 }, (_, index) => `t${index} `)
    const repeated = words.slice(-64).map((word) => segment(text(word)))
    expect(texts(push(start('e'), ...words.map(token), ...repeated))).toEqual(words)
  })

  it('S3-44: emits nothing twice when the stream is replayed from its start', () => {
    const records = [start('e'), token('Good '), token('morning'), { type: 'tool_start', tool_id: 'c', tool_name: 't' }]
    const once = push(...records)
    expect(push(...records, ...records)).toEqual(once)
    expect(texts(push(...records, ...records, token('!')))).toEqual(['Good ', 'morning', '!'])
  })

  it('S3-44: emits nothing twice when a finished Event is repeated', () => {
    const records = [start('e'), token('Good morning'), final('e', [text('Good morning')])]
    expect(push(...records, ...records)).toEqual(push(...records))
  })

  it.each([
    ['event', { event: event('e') }, 'message-start'],
    ['event_start', { event: event('e') }, 'message-start'],
    ['segment', { segment: text('Hi') }, 'block-start'],
    ['token', { content: 'Hi' }, 'block-start'],
    ['text_token', { content: 'Hi' }, 'block-start'],
    ['text_done', { content: 'Hi' }, 'block-start'],
    ['tool_start', { tool_id: 'c', tool_name: 't' }, 'tool-start'],
    ['tool_arguments_delta', { tool_id: 'c', delta: '{' }, 'tool-input-delta'],
    ['tool_finalized', { tool_id: 'c', args: { a: 1 } }, 'tool-input'],
    ['tool_result', { tool_id: 'c', output: { a: 1 } }, 'tool-output'],
    ['tool_complete', { tool_id: 'c' }, 'tool-output'],
    ['mcp_tool_start', { tool_id: 'c', tool_name: 't' }, 'tool-start'],
    ['mcp_tool_arguments_delta', { tool_id: 'c', delta: '{' }, 'tool-input-delta'],
    ['mcp_tool_finalized', { tool_id: 'c', arguments: '{"a":1}' }, 'tool-input'],
    ['mcp_tool_complete', { tool_id: 'c', output: 'x' }, 'tool-output'],
    ['mcp_list_tools', { tools: [] }, 'data'],
    ['mcp_approval_request', { approval_request_id: 'a' }, 'approval'],
    ['web_search_call_in_progress', { item_id: 'w' }, 'tool-start'],
    ['web_search_call_searching', { item_id: 'w' }, 'tool-progress'],
    ['web_search_call_completed', { item_id: 'w' }, 'tool-output'],
    ['code_interpreter_call_code_delta', { item_id: 'i', delta: 'x' }, 'tool-input-delta'],
    ['code_interpreter_call_code_done', { item_id: 'i', code: 'x' }, 'tool-input'],
    ['code_interpreter_call_interpreting', { item_id: 'i' }, 'tool-progress'],
    ['code_interpreter_call_completed', { item_id: 'i' }, 'tool-output'],
    ['reasoning_summary_part_added', { item_id: 'r', summary_index: 0, part: { text: 'Hm' } }, 'block-start'],
    ['reasoning_summary_text_delta', { item_id: 'r', summary_index: 0, delta: 'Hm' }, 'block-start'],
    ['reasoning_summary_text_done', { item_id: 'r', summary_index: 0, text: 'Hm' }, 'block-start'],
    ['reasoning_complete', { item_id: 'r', combined_text: 'Hm' }, 'block-start'],
    ['progress_update', { activity: 'listing' }, 'status'],
    ['message_final', { event: event('e', [text('Hi')]) }, 'message-end'],
    ['event_complete', { event: event('e', [text('Hi')]) }, 'message-end'],
    ['error', { error: { code: 'x', message: 'Broken' } }, 'run-end'],
  ])('S3-45: reads %s, with its fields at the root or in data', (type, fields, expected) => {
    const flat = push({ type, ...fields })
    expect(types(flat)).toContain(expected)
    expect(push({ type, data: fields })).toEqual(flat)
  })

  it('S3-46: emits a text once that comes as a token and as a segment, even if the same word comes twice', () => {
    const tokens = ['no ', 'no ', 'yes']
    const both = tokens.flatMap((word) => [token(word), segment(text(word))])
    const other = tokens.flatMap((word) => [segment(text(word)), token(word)])
    for (const records of [both, other, tokens.map(token), tokens.map((word) => segment(text(word)))]) {
      expect(texts(push(start('e'), ...records))).toEqual(tokens)
    }
  })

  it('S3-46: emits a call once that comes as its own events and as segments', () => {
    const args = { harbour: 'Millport' }
    const events = push(
      { type: 'tool_start', tool_id: 'c', tool_name: 'get_tide' },
      segment({ type: 'tool_call', id: 'c', name: 'get_tide', args: {} }),
      { type: 'tool_finalized', tool_id: 'c', args },
      segment({ type: 'tool_call', id: 'c', name: 'get_tide', args }),
      { type: 'tool_result', tool_id: 'c', output: 'six', error: null },
      segment({ type: 'tool_result', id: 'c', output: 'six' }),
    )
    expect(events).toEqual([
      { type: 'tool-start', callId: 'c', name: 'get_tide', runBy: 'agent' },
      { type: 'tool-input', callId: 'c', input: args },
      { type: 'tool-output', callId: 'c', status: 'ok', output: 'six' },
    ])
  })

  it('S3-46: emits reasoning once that comes as its own events and as segments', () => {
    const part = (words: string) => [
      { type: 'reasoning_summary_text_delta', item_id: 'r', summary_index: 0, delta: words },
      segment({ type: 'reasoning', id: 'r', parts: [{ summary_index: 0, text: words, is_complete: false }] }),
    ]
    expect(texts(push(start('e'), ...part('so '), ...part('so '), ...part('it is')))).toEqual(['so ', 'so ', 'it is'])
  })

  it('S3-48: keeps the content of each Event under its id, with several Events in one stream', () => {
    const events = read(start('a'), token('One'), start('b'), token('Two'), final('b', [text('Two')]))
    expect(events.flatMap((each) => (each.type === 'message-start' ? [each.messageId] : []))).toEqual(['a', 'b'])
    expect(events.flatMap((each) => (each.type === 'message-end' ? [each.messageId] : []))).toEqual(['a', 'b'])
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
  })

  it('S3-58: reads a stream of tool events only and one of segments only to the same events', () => {
    const events = push(
      start('e'),
      { type: 'tool_start', tool_id: 'c', tool_name: 't' },
      {
        type: 'tool_finalized',
        tool_id: 'c',
        args: { a: 1 },
      },
      { type: 'tool_result', tool_id: 'c', output: { b: 2 } },
    )
    const segments = push(
      start('e'),
      segment({ type: 'tool_call', id: 'c', name: 't', args: { a: 1 } }),
      segment({ type: 'tool_result', id: 'c', output: { b: 2 } }),
    )
    expect(segments).toEqual(events)
  })

  it('opens a new text after a call and ends the one before it', () => {
    const call = { type: 'tool_start', tool_id: 'c', tool_name: 't' }
    expect(types(push(start('e'), token('One'), call, token('Two')))).toEqual([
      'message-start',
      'block-start',
      'block-delta',
      'block-end',
      'tool-start',
      'block-start',
      'block-delta',
    ])
  })

  it('replaces the streamed text with that of the final message if they differ', () => {
    const events = push(start('e'), token('Frist'), final('e', [text('First')]))
    expect(events).toContainEqual({ type: 'block-patch', blockId: 'e:text-0', text: 'First' })
  })
})
