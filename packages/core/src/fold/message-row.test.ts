import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import type { Meta } from '../event-fields.ts'
import type { StreamEvent } from '../events.ts'
import { createMessageRow, getText, getThinking, type MessageRow, messageRow, partsOfRow } from './message-row.ts'

function entriesOf(...events: readonly StreamEvent[]): Entry[] {
  return events.map((event, index) => ({ seq: index + 1, at: index, event, rawThrough: index }))
}

function rowOf(...events: readonly StreamEvent[]): MessageRow {
  return messageRow(entriesOf(...events))
}

type EventScope = { readonly messageId?: string; readonly agentId?: string }

let blocks = 0

function block(kind: 'text' | 'reasoning', text: string, scope: EventScope = {}): StreamEvent[] {
  const blockId = `b${++blocks}`
  return [
    { type: 'block-start', blockId, kind, ...scope },
    { type: 'block-delta', blockId, text: text.slice(0, 3) },
    { type: 'block-delta', blockId, text: text.slice(3) },
    { type: 'block-end', blockId },
  ]
}

function status(message: string): StreamEvent {
  return { type: 'status', message, level: 'info' }
}

const task = (id: string, content: string, done = false) =>
  ({ id, content, status: done ? 'completed' : 'pending' }) as const

const start: StreamEvent = { type: 'message-start', messageId: 'm1', role: 'assistant' }
const spawned: Meta = { millrace: { subagentOp: 'spawn' } }

describe('messageRow', () => {
  it('S0-92: keeps statuses in order, without the newline at their end', () => {
    const { metadata } = rowOf(start, status('Reading\n'), status('Writing'), status(''))
    expect(metadata.processing).toEqual(['Reading', 'Writing'])
  })

  it('S0-93: joins all text of the answer, without messages of other roles', () => {
    const entries = entriesOf(
      { type: 'message-start', messageId: 'u1', role: 'user' },
      ...block('text', 'What is the weather?'),
      { type: 'message-end', messageId: 'u1' },
      start,
      ...block('text', 'Let me look. '),
      { type: 'subagent-start', agentId: 'a1', name: 'scout' },
      ...block('text', 'rain, I think', { agentId: 'a1' }),
      ...block('text', 'It rains.'),
    )
    expect(getText(entries)).toBe('Let me look. It rains.')
  })

  it('S0-94: ends every thought with exactly one newline', () => {
    const entries = entriesOf(
      start,
      ...block('reasoning', 'First.'),
      ...block('reasoning', 'Second.\n'),
      ...block('reasoning', ' '),
    )
    expect(getThinking(entries)).toBe('First.\nSecond.\n')
  })

  it('S0-95: mentions in the thinking when a subagent starts and how it ends', () => {
    const entries = entriesOf(
      start,
      { type: 'subagent-start', agentId: 'a1', name: 'scout', task: 'look outside' },
      ...block('reasoning', 'Clouds.', { agentId: 'a1' }),
      { type: 'subagent-end', agentId: 'a1', status: 'done', summary: 'It rains' },
      { type: 'subagent-start', agentId: 'a2', name: 'baker' },
      { type: 'subagent-end', agentId: 'a2', status: 'failed' },
    )
    expect(getThinking(entries).split('\n')).toEqual([
      'Started scout: look outside',
      'Clouds.',
      'Completed scout: It rains',
      'Started baker',
      'Ended (failed) baker',
      '',
    ])
  })

  it.each<StreamEvent>([
    { type: 'tool-start', callId: 'c1', name: 'look', runBy: 'agent' },
    { type: 'tool-input-delta', callId: 'c1', text: '{}' },
    { type: 'tool-input', callId: 'c1', input: { place: 'here' } },
    { type: 'tool-progress', callId: 'c1', channel: 'stdout', text: 'looking' },
    { type: 'tool-output', callId: 'c1', status: 'ok', output: 'rain' },
    { type: 'error', message: 'No umbrella' },
    { type: 'run-end', outcome: 'error', error: { message: 'Drenched' } },
    { type: 'raw', value: 'text', reason: 'unmapped' },
  ])('S0-96: does not store $type', (event) => {
    expect(rowOf(start, ...block('text', 'Hello'), event)).toEqual({ content: 'Hello', metadata: {} })
  })

  it('S0-98: has a key only if there is something to store', () => {
    expect(rowOf()).toEqual({ content: '', metadata: {} })
    expect(Object.keys(rowOf(start, status('a')).metadata)).toEqual(['processing'])
    expect(Object.keys(rowOf(start, ...block('reasoning', 'a')).metadata)).toEqual(['thinking'])
  })

  it('S0-100: describes each change to a list of todos', () => {
    const items = [task('1', 'Sow'), task('2', 'Reap')]
    const { metadata } = rowOf(
      start,
      { type: 'todos', listId: 'field', op: 'set', items },
      status('Digging'),
      { type: 'todos', listId: 'field', op: 'set', items: [...items, task('3', 'Mill')] },
      { type: 'todos', listId: 'field', op: 'update', items: [task('1', '', true)] },
      { type: 'todos', listId: 'field', op: 'update', items: [task('2', 'Reap all')] },
      { type: 'todos', listId: 'field', op: 'set', items: [] },
    )
    expect(metadata.processing).toEqual([
      'Planning: 2 tasks',
      'Digging',
      'Updated: 3 tasks',
      'Completed: Sow',
      'Updated: 3 tasks',
      'Updated: 0 tasks',
    ])
  })

  it('S0-100: uses the operation that the parser declares for the list', () => {
    const operation = (todoOp: string): Meta => ({ millrace: { todoOp } })
    const { metadata } = rowOf(
      start,
      { type: 'todos', listId: 'a', op: 'set', items: [task('1', 'Sow')], meta: operation('update') },
      { type: 'todos', listId: 'a', op: 'set', items: [task('1', 'Sow')], meta: operation('create') },
      { type: 'todos', listId: 'a', op: 'update', items: [task('1', 'Sow', true)], meta: operation('done') },
      { type: 'todos', listId: 'a', op: 'set', items: [task('1', 'Sow')], meta: operation('nonsense') },
    )
    expect(metadata.processing).toEqual(['Updated: 1 tasks', 'Planning: 1 tasks', 'Completed: Sow', 'Updated: 1 tasks'])
  })

  it.each<[string, readonly StreamEvent[], Partial<MessageRow['metadata'] & { content: string }>]>([
    ['a status', [status('Reading')], { processing: ['Reading'] }],
    [
      'todos',
      [{ type: 'todos', listId: 'a', op: 'set', items: [task('1', 'Sow')] }],
      { processing: ['Planning: 1 tasks'] },
    ],
    [
      'a subagent that starts',
      [{ type: 'subagent-start', agentId: 'a', name: 'scout' }],
      { thinking: 'Started scout\n' },
    ],
    [
      'a subagent that is spawned',
      [{ type: 'subagent-start', agentId: 'a', name: 'scout', meta: spawned }],
      { processing: ['Spawned scout'] },
    ],
    ['thinking', block('reasoning', 'Hmmmm'), { thinking: 'Hmmmm\n' }],
    ['text', block('text', 'Hello'), { content: 'Hello' }],
  ])('S0-101: stores %s in its field', (_case, events, { content = '', ...metadata }) => {
    expect(rowOf(start, ...events)).toEqual({ content, metadata })
  })

  it('S4-3: stores the text in think tags as thinking, not as content', () => {
    const row = rowOf(
      start,
      { type: 'block-start', blockId: 'b', kind: 'reasoning', variant: 'think-tag' },
      { type: 'block-delta', blockId: 'b', text: 'Planning...' },
      ...block('text', 'I will help you.'),
    )
    expect(row).toEqual({ content: 'I will help you.', metadata: { thinking: 'Planning...\n' } })
  })

  it('takes a patch as the whole text of its block', () => {
    const row = rowOf(
      start,
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-delta', blockId: 'b', text: 'Helo' },
      { type: 'block-patch', blockId: 'b', text: 'Hello' },
      { type: 'block-patch', blockId: 'b', citations: [] },
    )
    expect(row.content).toBe('Hello')
  })

  it('leaves out retracted messages with the texts of their subagents', () => {
    const row = rowOf(
      start,
      ...block('text', 'Wrong. '),
      { type: 'subagent-start', agentId: 'a1', name: 'scout' },
      { type: 'message-start', messageId: 'm2', role: 'assistant', agentId: 'a1' },
      ...block('reasoning', 'Clouds', { agentId: 'a1' }),
      { type: 'message-end', messageId: 'm1' },
      { type: 'message-start', messageId: 'm2', role: 'assistant' },
      ...block('text', 'Right.'),
      { type: 'message-retract', messageIds: ['m1'] },
    )
    expect(row).toEqual({ content: 'Right.', metadata: {} })
  })

  it('separates messages of one id by agent, and continues after another message has ended', () => {
    const row = rowOf(
      start,
      { type: 'subagent-start', agentId: 'a1', name: 'scout', meta: spawned },
      { type: 'message-start', messageId: 'm1', role: 'assistant', agentId: 'a1' },
      ...block('reasoning', 'Clouds', { agentId: 'a1' }),
      { type: 'message-retract', messageIds: ['m1'], agentId: 'a1' },
      { type: 'message-start', messageId: 'u1', role: 'user' },
      { type: 'message-end', messageId: 'u1' },
      ...block('text', 'It rains.'),
    )
    expect(row).toEqual({ content: 'It rains.', metadata: { processing: ['Spawned scout'] } })
  })

  it('X16: gives the same row entry by entry, with repeats, as all at once', () => {
    const entries = entriesOf(start, status('a'), ...block('reasoning', 'Hmmm'), ...block('text', 'Hello'))
    const builder = createMessageRow()
    for (const [index, entry] of entries.entries()) {
      builder.push(entry)
      for (const again of entries.slice(0, index)) builder.push(again)
      expect(builder.row()).toEqual(messageRow(entries.slice(0, index + 1)))
    }
  })
})

describe('partsOfRow', () => {
  const processing = ['Reading', 'Writing']
  const variant = (name: string) => ({ mobox: { variant: name } })
  const whole: MessageRow = { content: 'Hello', metadata: { processing, thinking: 'Hm.\n' } }

  it('S0-102, S0-103, S0-104, S0-105: rebuilds processing, thinking and text, in this order', () => {
    expect(partsOfRow(whole)).toEqual([
      { type: 'reasoning', text: 'Reading\nWriting', providerMetadata: variant('processing') },
      { type: 'reasoning', text: 'Hm.\n', providerMetadata: variant('thinking') },
      { type: 'text', text: 'Hello' },
    ])
  })

  it.each<[string, MessageRow, readonly string[]]>([
    ['nothing', { content: '', metadata: {} }, []],
    ['no lines', { content: 'Hello', metadata: { processing: [] } }, ['Hello']],
    ['thinking alone', { content: '', metadata: { thinking: 'Hm.\n' } }, ['Hm.\n']],
    ['processing alone', { content: '', metadata: { processing } }, ['Reading\nWriting']],
  ])('S0-102, S0-105: creates a part only for what is present: %s', (_case, row, texts) => {
    expect(partsOfRow(row).map(({ text }) => text)).toEqual(texts)
  })

  it('S0-106: rebuilds a row that went through JSON to the same parts', () => {
    const stored = JSON.parse(JSON.stringify(whole)) as MessageRow
    expect([whole, stored].map(partsOfRow)).toEqual([partsOfRow(whole), partsOfRow(whole)])
  })
})
