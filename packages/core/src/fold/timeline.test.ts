import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import type { StreamEvent } from '../events.ts'
import { fold } from './fold.ts'
import { timelineOf } from './timeline.ts'

function entriesOf(...events: readonly StreamEvent[]): Entry[] {
  return events.map((event, index) => ({ seq: index + 1, at: (index + 1) * 1000, event, rawThrough: 0 }))
}

function timeline(...events: readonly StreamEvent[]) {
  return timelineOf(fold(entriesOf(...events)).chatEvents)
}

function block(blockId: string, kind: 'text' | 'reasoning', text: string, agentId?: string): StreamEvent[] {
  const agent = agentId === undefined ? {} : { agentId }
  return [
    { type: 'block-start', blockId, kind, ...agent },
    { type: 'block-delta', blockId, text, ...agent },
    { type: 'block-end', blockId, ...agent },
  ]
}

const begin: readonly StreamEvent[] = [
  { type: 'run-start' },
  { type: 'message-start', messageId: 'm1', role: 'assistant' },
]

const call: readonly StreamEvent[] = [
  { type: 'tool-start', callId: 'c1', name: 'look', runBy: 'agent' },
  { type: 'tool-input', callId: 'c1', input: { place: 'here' } },
]

describe('timelineOf', () => {
  it('S4-3: separates the text in think tags from the message', () => {
    const [opened, ...rest] = block('b1', 'reasoning', 'Planning...')
    const tagged = { ...opened, variant: 'think-tag' } as StreamEvent
    const items = timeline(...begin, tagged, ...rest, ...block('b2', 'text', 'I will help you.'))
    expect(items.map((item) => [item.type, 'content' in item && item.content])).toEqual([
      ['thinking', 'Planning...'],
      ['agent_message', 'I will help you.'],
    ])
  })

  it('S4-16, S4-17: shows thinking and message with the time at which they began, as a number', () => {
    expect(timeline(...begin, ...block('b1', 'reasoning', 'Hm.'), ...block('b2', 'text', 'Hello'))).toEqual([
      { type: 'thinking', content: 'Hm.', timestamp: 3000, id: 'run/m1:b1' },
      { type: 'agent_message', content: 'Hello', timestamp: 6000, id: 'run/m1:b2' },
    ])
  })

  it('S4-18: shows the text of the user as a user message', () => {
    const user: StreamEvent = { type: 'message-start', messageId: 'u1', role: 'user' }
    expect(timeline({ type: 'run-start' }, user, ...block('b1', 'text', 'Hi'))).toEqual([
      { type: 'user_message', content: 'Hi', timestamp: 3000, id: 'run/u1:b1' },
    ])
  })

  it('S4-19: joins a call and its result by callId, wherever the result is', () => {
    const output: StreamEvent = { type: 'tool-output', callId: 'c1', status: 'ok', output: 'rain' }
    expect(timeline(...begin, ...call, ...block('b1', 'text', 'Wait.'), output)).toEqual([
      {
        type: 'tool_execution',
        callId: 'c1',
        call: { id: 'c1', name: 'look', arguments: { place: 'here' } },
        result: { id: 'c1', content: 'rain', isError: false },
        timestamp: 3000,
      },
      expect.objectContaining({ type: 'agent_message' }),
    ])
  })

  it.each([
    ['ok', false],
    ['error', true],
    ['denied', true],
    ['cancelled', true],
  ] as const)('S4-19: a result of status %s is an error: %s', (status, isError) => {
    const [item] = timeline(...begin, ...call, { type: 'tool-output', callId: 'c1', status, output: 'x' })
    expect(item).toMatchObject({ result: { id: 'c1', content: 'x', isError } })
  })

  it('S4-19: shows a pending call without a result', () => {
    const [item] = timeline(...begin, ...call)
    expect(item).toMatchObject({ type: 'tool_execution', callId: 'c1' })
    expect(item).not.toHaveProperty('result')
  })

  it('S4-19: shows a result whose call is missing', () => {
    const meta = { millrace: { orphan: true } }
    const found: StreamEvent = { type: 'tool-start', callId: 'lost', name: 'unknown', runBy: 'agent', meta }
    const output: StreamEvent = { type: 'tool-output', callId: 'lost', status: 'error', output: null, error: 'No' }
    expect(timeline(...begin, found, output)).toMatchObject([
      { type: 'tool_execution', callId: 'lost', result: { id: 'lost', isError: true, error: 'No' } },
    ])
  })

  it('S4-20: shows everything else as a system message with the type of its event', () => {
    const items = timeline(
      ...begin,
      { type: 'status', message: 'Reading', level: 'info' },
      { type: 'status', message: 'Writing', level: 'info' },
      { type: 'todos', listId: 'l1', op: 'set', items: [{ id: '1', content: 'Sow', status: 'completed' }] },
      { type: 'approval', approvalId: 'p1', state: 'requested', message: 'May I?' },
      { type: 'source', sourceId: 's1', kind: 'url', url: 'https://example.org', title: 'Example' },
      { type: 'file', fileId: 'f1', mediaType: 'image/png' },
      { type: 'data', name: 'weather', data: { rain: true } },
      { type: 'error', message: 'No umbrella' },
    )
    const shown = items.map((item) => (item.type === 'system_message' ? [item.originalEventType, item.content] : item))
    expect(shown).toEqual([
      ['status', 'Reading'],
      ['status', 'Writing'],
      ['todos', '[x] Sow'],
      ['approval', 'Approval requested: May I?'],
      ['source', 'Example https://example.org'],
      ['file', 'image/png'],
      ['data', 'weather: {"rain":true}'],
      ['error', 'No umbrella'],
    ])
    expect(new Set(items.map((item) => 'id' in item && item.id)).size).toBe(items.length)
    expect(items[1]).toMatchObject({ type: 'system_message', timestamp: 4000 })
  })

  it('S4-20: shows the items of a subagent between its start and its end', () => {
    const items = timeline(
      ...begin,
      { type: 'subagent-start', agentId: 'a1', name: 'scout', task: 'look' },
      ...block('b1', 'reasoning', 'Clouds', 'a1'),
      ...block('b2', 'text', 'It rains', 'a1'),
      { type: 'subagent-end', agentId: 'a1', status: 'done', summary: 'Rain' },
    )
    expect(items.map((item) => [item.type, 'content' in item && item.content])).toEqual([
      ['system_message', 'Started scout: look'],
      ['thinking', 'Clouds'],
      ['system_message', 'It rains'],
      ['system_message', 'Completed scout: Rain'],
    ])
  })

  it('S4-21: shows text that is still being written as ephemeral, and thinking at once', () => {
    const items = timeline(
      ...begin,
      { type: 'block-start', blockId: 'b1', kind: 'reasoning' },
      { type: 'block-delta', blockId: 'b1', text: 'Hm' },
      { type: 'block-start', blockId: 'b2', kind: 'text' },
      { type: 'block-delta', blockId: 'b2', text: 'Hel' },
    )
    expect(items).toEqual([
      { type: 'thinking', content: 'Hm', timestamp: 3000, id: 'run/m1:b1' },
      { type: 'ephemeral_message', messageType: 'assistant', content: 'Hel', timestamp: 5000 },
    ])
  })

  it('drops blank text and blank thinking, live or not', () => {
    expect(timeline(...begin, ...block('b1', 'text', ' \n'), ...block('b2', 'reasoning', '\n'))).toEqual([])
    const open: StreamEvent = { type: 'block-start', blockId: 'b1', kind: 'text' }
    expect(timeline(...begin, open)).toEqual([])
  })

  it('X45: keeps a thought that occurs twice', () => {
    const thoughts = timeline(...begin, ...block('b1', 'reasoning', 'Hm.'), ...block('b2', 'reasoning', 'Hm.'))
    expect(thoughts.map((item) => item.type)).toEqual(['thinking', 'thinking'])
  })

  it('X47: keeps the order of arrival, whatever the timestamps', () => {
    const [late, early] = [{ sentAt: 9000 }, { sentAt: 10 }]
    const items = timeline(
      ...begin,
      ...block('b1', 'text', 'first').map((event) => ({ ...event, ...late })),
      ...block('b2', 'text', 'second').map((event) => ({ ...event, ...early })),
    )
    expect(items.map((item) => 'content' in item && item.content)).toEqual(['first', 'second'])
  })

  it('leaves out retracted messages and tools that are shown as something else', () => {
    const [chatEvent] = fold(entriesOf(...begin, ...call)).chatEvents
    if (chatEvent === undefined) throw new Error('nothing was folded')
    const shown = chatEvent.segments.map((segment) => ({ ...segment, shownAs: 'todos' as const }))
    expect(timelineOf([{ ...chatEvent, segments: shown }])).toEqual([])
    expect(timelineOf([{ ...chatEvent, state: 'retracted' }])).toEqual([])
    expect(timelineOf([chatEvent])).toHaveLength(1)
  })
})
