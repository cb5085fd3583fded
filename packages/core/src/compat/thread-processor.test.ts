import { describe, expect, it } from 'vitest'
import type { ThreadEvent } from '../data/thread-event.ts'
import {
  type AgentNotice,
  buildThreadMessages,
  createAgentTurn,
  type EphemeralMessage,
  ThreadProcessor,
  type TimelineItem,
} from './thread-processor.ts'

const at = (second: number) => new Date(Date.UTC(2025, 6, 1, 9, 0, second))
const after = (time: Date, ms: number) => new Date(time.getTime() + ms)

const user = (id: string, data: string, second = 0): ThreadEvent => ({
  id,
  type: 'USER_MESSAGE',
  timestamp: at(second),
  data,
})
const agent = (id: string, data: string, second = 0): ThreadEvent => ({
  id,
  type: 'AGENT_MESSAGE',
  timestamp: at(second),
  data,
})
const thinking = (id: string, data: string, second = 0): ThreadEvent => ({
  id,
  type: 'THINKING',
  timestamp: at(second),
  data,
})
const writing = (content: string, second = 0): EphemeralMessage => ({
  type: 'assistant',
  content,
  timestamp: at(second),
})

const lineOf = (item: TimelineItem) =>
  item.type === 'tool_execution' ? `tool ${item.callId}` : `${item.type} ${item.content}`
const linesOf = (items: readonly TimelineItem[]) => items.map(lineOf)

describe('the processor of a thread, under the names and types of its system', () => {
  it('S4-16, S4-17, S4-18, S4-20: items have the ids of their events and their times as dates', () => {
    const items = new ThreadProcessor().processEvents([
      user('u', 'When?', 1),
      thinking('t', 'Tide first.', 2),
      agent('a', '<think> Then wind. </think>\n\nLeave at 06:12.\n', 3),
      { id: 's', type: 'LOCAL_SYSTEM_MESSAGE', timestamp: at(4), data: 'saved' },
    ])
    expect(items).toEqual([
      { type: 'user_message', content: 'When?', timestamp: at(1), id: 'u' },
      { type: 'thinking', content: 'Tide first.', timestamp: at(2), id: 't' },
      { type: 'thinking', content: 'Then wind.', timestamp: after(at(3), -10), id: 'a_thinking_0' },
      { type: 'agent_message', content: 'Leave at 06:12.', timestamp: at(3), id: 'a' },
      { type: 'system_message', content: 'saved', timestamp: at(4), id: 's' },
    ])
  })

  it('S4-3: the thoughts of a message come before its whole text', () => {
    const items = new ThreadProcessor().processEvents([agent('a', '<think>one</think>first <think>two</think>last')])
    expect(items).toMatchObject([
      { type: 'thinking', content: 'one', timestamp: after(at(0), -20), id: 'a_thinking_0' },
      { type: 'thinking', content: 'two', timestamp: after(at(0), -10), id: 'a_thinking_1' },
      { type: 'agent_message', content: 'first last', id: 'a' },
    ])
  })

  it('S4-19: a call and its result are one item with the data of both, whatever their field names', () => {
    const early = { callId: 'A', toolName: 'list', input: { path: '.' } }
    const earlyResult = { callId: 'A', output: 'x\ny', success: true }
    const later = { id: 'B', name: 'read', arguments: { path: 'x' } }
    const laterResult = { id: 'B', content: [{ type: 'text', text: 'no' }], status: 'failed' } as const
    const items = new ThreadProcessor().processEvents([
      { id: 'c1', type: 'TOOL_CALL', timestamp: at(1), data: early },
      { id: 'c2', type: 'TOOL_CALL', timestamp: at(2), data: later },
      { id: 'c3', type: 'TOOL_CALL', timestamp: at(3), data: { callId: 'C', toolName: 'wait', input: {} } },
      { id: 'r2', type: 'TOOL_RESULT', timestamp: at(4), data: laterResult },
      { id: 'r1', type: 'TOOL_RESULT', timestamp: at(5), data: earlyResult },
      { id: 'r9', type: 'TOOL_RESULT', timestamp: at(6), data: { callId: 'gone', output: 'left over' } },
    ])
    expect(items).toEqual([
      { type: 'tool_execution', call: early, result: earlyResult, timestamp: at(1), callId: 'A' },
      { type: 'tool_execution', call: later, result: laterResult, timestamp: at(2), callId: 'B' },
      { type: 'tool_execution', call: { callId: 'C', toolName: 'wait', input: {} }, timestamp: at(3), callId: 'C' },
      { type: 'system_message', content: 'Tool result (orphaned): left over', timestamp: at(6), id: 'r9' },
    ])
  })

  it('S4-8, S4-14: a message that is being written shows its thoughts, then its text, and no piece of a tag', () => {
    const processor = new ThreadProcessor()
    const seen = ['<thi', '<think>Tide', '<think>Tide first.</think>', '<think>Tide first.</think>Leave'].map(
      (content) => processor.processEphemeralEvents([writing(content, 5)]),
    )
    const thought = { type: 'thinking', timestamp: at(5), id: `${at(5).getTime()}_thinking_0` }
    expect(seen).toEqual([
      [],
      [{ ...thought, content: 'Tide' }],
      [{ ...thought, content: 'Tide first.' }],
      [
        { ...thought, content: 'Tide first.' },
        { type: 'ephemeral_message', messageType: 'assistant', content: 'Leave', timestamp: after(at(5), 1) },
      ],
    ])
  })

  it('S4-21: messages of others, and thoughts, stay as they are while they are written', () => {
    const messages = (['user', 'system', 'tool', 'thinking'] as const).map((type) => {
      return { type, content: '<think>kept</think>', timestamp: at(1) }
    })
    expect(new ThreadProcessor().processEphemeralEvents(messages)).toEqual(
      messages.map(({ type, content, timestamp }) => ({
        type: 'ephemeral_message',
        messageType: type,
        content,
        timestamp,
      })),
    )
  })

  it('S4-9: a timeline is in the order of time, stored items first where the times are equal', () => {
    const processor = new ThreadProcessor()
    const { items, metadata } = processor.processThread(
      [user('u', 'one', 1), agent('a', 'three', 3)],
      [writing('two', 2), writing('<think>four</think>five', 3)],
    )
    expect(linesOf(items)).toEqual([
      'user_message one',
      'ephemeral_message two',
      'agent_message three',
      'thinking four',
      'ephemeral_message five',
    ])
    expect(metadata).toEqual({ eventCount: 2, messageCount: 2, lastActivity: after(at(3), 1) })
  })

  it('S4-11, S4-28: a thought is one item, that of the event which came before its message', () => {
    const processor = new ThreadProcessor()
    const raw = '<think>Tide first.</think>Leave.'
    const stored = processor.processEvents([user('u', 'When?'), thinking('t', 'Tide first.', 1), agent('a', raw, 2)])
    const { items } = processor.buildTimeline(stored, processor.processEphemeralEvents([writing(raw, 3)]))
    expect(items).toMatchObject([{ id: 'u' }, { type: 'thinking', id: 't' }, { type: 'agent_message', id: 'a' }])
    expect(items).toHaveLength(3)
  })

  it('S4-28: a thought that is already stored is left out of the message that is being written', () => {
    const processor = new ThreadProcessor()
    const { items } = processor.processThread(
      [thinking('t', 'Tide.', 1)],
      [writing('<think>Tide.</think>And <think>wind.', 2)],
    )
    expect(items).toMatchObject([
      { type: 'thinking', id: 't' },
      { type: 'thinking', content: 'wind.', id: `${at(2).getTime()}_thinking_1` },
      { type: 'ephemeral_message', content: 'And' },
    ])
  })

  it('lists that a caller has made are merged as they are', () => {
    const items = [{ type: 'user_message', content: 'mine', timestamp: at(1), id: 'u' } as const]
    expect(new ThreadProcessor().buildTimeline(items, []).items).toEqual(items)
    expect(new ThreadProcessor().buildTimeline([], []).metadata).toMatchObject({ eventCount: 0, messageCount: 0 })
  })

  it('S4-7, S4-12: the same events give the same array until an event changes or the cache is cleared', () => {
    const processor = new ThreadProcessor()
    const events = [user('u', 'one', 1), agent('a', 'two', 2)]
    const first = processor.processEvents(events)
    expect(processor.processEvents([...events])).toBe(first)
    const edited = processor.processEvents([user('u', 'ONE', 1), ...events.slice(1)])
    expect(linesOf(edited)).toEqual(['user_message ONE', 'agent_message two'])
    const again = processor.processEvents(events)
    processor.clearCache()
    expect(processor.processEvents(events)).toEqual(again)
    expect(processor.processEvents(events)).not.toBe(again)
    expect(linesOf(first)).toEqual(['user_message one', 'agent_message two'])
  })
})

describe('a timeline', () => {
  it('counts the items that it shows, also when a thread becomes another one', () => {
    const processor = new ThreadProcessor()
    const totals = (...events: readonly ThreadEvent[]) => processor.processThread(events).metadata
    const [one, two, three] = [user('u', 'one', 9), agent('a', 'two', 2), user('v', 'three', 3)]
    expect(totals(one, two)).toMatchObject({ eventCount: 2, messageCount: 2, lastActivity: at(9) })
    expect(totals(one, two, three)).toMatchObject({ eventCount: 3, messageCount: 3, lastActivity: at(9) })
    expect(totals(thinking('t', 'hm', 1), two)).toMatchObject({ eventCount: 2, messageCount: 1, lastActivity: at(2) })
  })
})

describe('the agent of a thread', () => {
  it('S4-1, S4-4, S4-5, S4-6: emits raw tokens and a clean end, and stores what the model gets back', () => {
    const notices: AgentNotice[] = []
    const turn = createAgentTurn({ id: 'a', timestamp: at(1), emit: (notice) => notices.push(notice) })
    const tokens = ['<thi', 'nk>Tide', '</think>', 'Leave.']
    for (const token of tokens) turn.token(token)
    const stored = turn.complete()
    expect(notices).toEqual([
      ...tokens.map((token) => ({ type: 'agent_token', token })),
      { type: 'agent_response_complete', content: 'Leave.' },
    ])
    expect(buildThreadMessages([stored])).toEqual([{ role: 'assistant', content: '<think>Tide</think>Leave.' }])
  })
})

it('S4-12, S4-15, S4-32: after each of many events, it takes less time than a hash of all events alone', () => {
  const processor = new ThreadProcessor()
  const events: ThreadEvent[] = []
  const spent = { processor: 0, hash: 0 }
  const measured = (part: keyof typeof spent, action: () => unknown) => {
    const begin = process.cpuUsage()
    action()
    spent[part] += process.cpuUsage(begin).user
  }
  for (let index = 0; index < 3_000; index++) {
    events.push(agent(`e${index}`, `<think>t</think>text ${index}`, index))
    measured('processor', () => processor.processEvents(events))
    // The key of a cache that reads every event each time.
    measured('hash', () => JSON.stringify(events.map(({ id, type, timestamp }) => ({ id, type, timestamp }))))
  }
  expect(spent.processor).toBeLessThan(spent.hash)
})
