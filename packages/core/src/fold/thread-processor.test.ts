import { describe, expect, it } from 'vitest'
import type { ThreadEvent } from '../data/thread-event.ts'
import { createNormalizer } from '../normalize/index.ts'
import { createThreadProcessor } from './thread-processor.ts'
import type { TimelineItem } from './timeline.ts'

const open = () => createThreadProcessor({ createNormalizer })
const itemsOf = (events: readonly ThreadEvent[]) => open().processEvents(events).items

let clock = 0
function event(
  type: 'USER_MESSAGE' | 'AGENT_MESSAGE' | 'THINKING' | 'SYSTEM_PROMPT',
  id: string,
  data: string,
): ThreadEvent {
  return { id, type, timestamp: ++clock, data }
}

/** An item in one line. */
function shown(item: TimelineItem): string {
  if (item.type !== 'tool_execution') return `${item.type} ${item.content}`
  return `tool ${item.call.name} ${JSON.stringify(item.result?.content ?? 'pending')}`
}

describe('ThreadProcessor: stored events', () => {
  it('S4-2, S4-3: a thought in a message becomes a separate item, before the message', () => {
    const items = itemsOf([event('AGENT_MESSAGE', 'a1', '<think>Planning...</think>I will help you.')])
    expect(items.map(shown)).toEqual(['thinking Planning...', 'agent_message I will help you.'])
  })

  it('S4-16, S4-17, S4-18, S4-20: items have content, time and the id of their event', () => {
    const items = itemsOf([
      { id: 's1', type: 'LOCAL_SYSTEM_MESSAGE', timestamp: new Date(1000), data: 'ready' },
      { id: 'u1', type: 'USER_MESSAGE', timestamp: new Date(2000), data: 'why?' },
      { id: 't1', type: 'THINKING', timestamp: 3000, data: 'because' },
      { id: 'a1', type: 'AGENT_MESSAGE', timestamp: 4000, data: 'It rains.' },
    ])
    expect(items).toEqual([
      { type: 'system_message', content: 'ready', timestamp: 1000, id: 's1', originalEventType: 'system' },
      { type: 'user_message', content: 'why?', timestamp: 2000, id: 'u1' },
      { type: 'thinking', content: 'because', timestamp: 3000, id: 't1' },
      { type: 'agent_message', content: 'It rains.', timestamp: 4000, id: 'a1' },
    ])
  })

  it('S4-2: thoughts and text keep their order within a message, under different ids', () => {
    const items = itemsOf([event('AGENT_MESSAGE', 'a1', '<think>one</think>first<think>two</think>last')])
    expect(items.map(shown)).toEqual(['thinking one', 'agent_message first', 'thinking two', 'agent_message last'])
    expect(new Set(items.map((item) => 'id' in item && item.id)).size).toBe(4)
  })

  it('think-sys: messages of the user and the system are left unchanged', () => {
    const items = itemsOf([
      event('SYSTEM_PROMPT', 's1', '<think>kept</think>'),
      event('USER_MESSAGE', 'u1', 'What is <think>x</think>?'),
    ])
    expect(items.map(shown)).toEqual(['system_message <think>kept</think>', 'user_message What is <think>x</think>?'])
  })

  it('S4-19, tool-pending: a call and its result are one item; a call without result is pending', () => {
    const items = itemsOf([
      { id: 'c1', type: 'TOOL_CALL', timestamp: 1, data: { callId: 'A', toolName: 'list', input: { path: '.' } } },
      { id: 'c2', type: 'TOOL_CALL', timestamp: 2, data: { id: 'B', name: 'read', arguments: {} } },
      { id: 'r1', type: 'TOOL_RESULT', timestamp: 3, data: { id: 'B', content: 'text', isError: false } },
    ])
    expect(items).toEqual([
      { type: 'tool_execution', callId: 'A', call: { id: 'A', name: 'list', arguments: { path: '.' } }, timestamp: 1 },
      {
        type: 'tool_execution',
        callId: 'B',
        call: { id: 'B', name: 'read', arguments: {} },
        result: { id: 'B', content: 'text', isError: false },
        timestamp: 2,
      },
    ])
  })

  it('S4-19, callid-nest: results are matched to their calls in whatever order they arrive', () => {
    const call = (id: string): ThreadEvent => {
      return { id: `call-${id}`, type: 'TOOL_CALL', timestamp: 1, data: { callId: id, toolName: id, input: {} } }
    }
    const result = (id: string): ThreadEvent => {
      return { id: `result-${id}`, type: 'TOOL_RESULT', timestamp: 2, data: { callId: id, output: `of ${id}` } }
    }
    const items = itemsOf([call('A'), call('B'), result('B'), result('A')])
    expect(items.map(shown)).toEqual(['tool A "of A"', 'tool B "of B"'])
  })

  it('S4-19, tool-orphan: a result without its call is visible, also a failed one', () => {
    const items = itemsOf([
      { id: 'r1', type: 'TOOL_RESULT', timestamp: 5, data: { callId: 'gone', output: 'left over' } },
      { id: 'r2', type: 'TOOL_RESULT', timestamp: 6, data: { callId: 'bad', output: null, error: 'no disk' } },
    ])
    expect(items).toMatchObject([
      { type: 'tool_execution', callId: 'gone', result: { content: 'left over', isError: false }, timestamp: 5 },
      { type: 'tool_execution', callId: 'bad', result: { isError: true, error: 'no disk' } },
    ])
  })

  it('S4-33: a mixed thread is complete and in the order of its events, whatever their timestamps', () => {
    const items = itemsOf([
      { id: 'u1', type: 'USER_MESSAGE', timestamp: 50, data: 'count the files' },
      { id: 't1', type: 'THINKING', timestamp: 40, data: 'list them' },
      { id: 'a1', type: 'AGENT_MESSAGE', timestamp: 30, data: '<think>list them</think>Let me look.' },
      { id: 'c1', type: 'TOOL_CALL', timestamp: 20, data: { callId: 'A', toolName: 'list', input: {} } },
      { id: 'r1', type: 'TOOL_RESULT', timestamp: 10, data: { callId: 'A', output: ['x', 'y'] } },
      { id: 'a2', type: 'AGENT_MESSAGE', timestamp: 5, data: 'Two.<think>done?' },
      { id: 's1', type: 'LOCAL_SYSTEM_MESSAGE', timestamp: 1, data: 'saved' },
    ])
    expect(items.map(shown)).toEqual([
      'user_message count the files',
      'thinking list them',
      'agent_message Let me look.',
      'tool list ["x","y"]',
      'agent_message Two.',
      'thinking done?',
      'system_message saved',
    ])
  })

  it('an event of an unknown type changes nothing', () => {
    const unknown = { id: 'x', type: 'COMPACTION', timestamp: 1, data: {} } as unknown as ThreadEvent
    expect(itemsOf([unknown, event('USER_MESSAGE', 'u1', 'hi')]).map(shown)).toEqual(['user_message hi'])
  })
})

describe('ThreadProcessor: one item per thought', () => {
  it('S4-11, S4-28, S4-31, dedup-1: a THINKING event replaces the same thought in the next message', () => {
    const items = itemsOf([
      event('THINKING', 'thinking-1', 'weigh it'),
      event('AGENT_MESSAGE', 'a1', '<think>\nweigh it\n</think>Done'),
    ])
    expect(items).toMatchObject([
      { type: 'thinking', id: 'thinking-1', content: 'weigh it' },
      { type: 'agent_message', content: 'Done' },
    ])
  })

  it('dedup-2: a thought that two messages share is shown once for each', () => {
    const items = itemsOf([
      event('THINKING', 't1', 'ok'),
      event('AGENT_MESSAGE', 'a1', '<think>ok</think>x'),
      event('AGENT_MESSAGE', 'a2', '<think>ok</think>y'),
    ])
    expect(items.map(shown)).toEqual(['thinking ok', 'agent_message x', 'thinking ok', 'agent_message y'])
  })

  it('a message with the same thought twice loses only the one that came before it', () => {
    const items = itemsOf([
      event('THINKING', 't1', 'again'),
      event('AGENT_MESSAGE', 'a1', '<think>again</think>x<think>again</think>y'),
    ])
    expect(items.map(shown)).toEqual(['thinking again', 'agent_message x', 'thinking again', 'agent_message y'])
  })

  it('an equal thought of an earlier turn claims nothing', () => {
    const items = itemsOf([
      event('THINKING', 't1', 'ok'),
      event('USER_MESSAGE', 'u1', 'go on'),
      event('AGENT_MESSAGE', 'a1', '<think>ok</think>x'),
    ])
    expect(items.map(shown)).toEqual(['thinking ok', 'user_message go on', 'thinking ok', 'agent_message x'])
  })
})
