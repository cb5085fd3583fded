import { describe, expect, it } from 'vitest'
import { chunksBefore as run } from '../../../test/wire/agent-event.ts'
import type { StreamEvent } from '../../events.ts'

const called: readonly StreamEvent[] = [
  { type: 'tool-start', callId: 'c', name: 'call-agent', runBy: 'agent' },
  { type: 'tool-input', callId: 'c', input: {} },
]

describe('an event that the protocol has no type for', () => {
  it('is shown as a thought if a person should see it', () => {
    const chunks = run(
      { type: 'status', message: 'Casting off.', level: 'info' },
      { type: 'error', message: 'The gauge is slow.' },
      {
        type: 'todos',
        listId: 'l',
        op: 'set',
        items: [
          { id: '1', content: 'Read the tide', status: 'completed' },
          { id: '2', content: 'Sail', status: 'pending' },
        ],
      },
      { type: 'approval', approvalId: 'a', state: 'requested', message: 'May I sail?' },
    )
    expect(chunks.map(({ type, content }) => [type, content])).toEqual([
      ['thought', 'Casting off.'],
      ['thought', 'The gauge is slow.'],
      ['thought', '[x] Read the tide\n[ ] Sail'],
      ['thought', 'May I sail?'],
    ])
  })

  it('shows what an item says if an update leaves it out', () => {
    const chunks = run(
      { type: 'todos', listId: 'l', op: 'set', items: [{ id: '1', content: 'Sail', status: 'pending' }] },
      { type: 'todos', listId: 'l', op: 'update', items: [{ id: '1', content: '', status: 'completed' }] },
    )
    expect(chunks.map(({ content }) => content)).toEqual(['[ ] Sail', '[x] Sail'])
  })

  it('is progress of a call if it is an approval of that call, and so is the answer', () => {
    const ask = { type: 'approval', approvalId: 'a', callId: 'c', message: 'May I?' } as const
    const chunks = run(...called, { ...ask, state: 'requested' }, { ...ask, state: 'approved' })
    expect(chunks.slice(1).map(({ type, callId, data }) => [type, callId, data])).toEqual([
      ['tool_progress', 'c', { subtype: 'approval', approvalId: 'a', state: 'requested', message: 'May I?' }],
      ['tool_progress', 'c', { subtype: 'approval', approvalId: 'a', state: 'approved', message: 'May I?' }],
    ])
  })

  it('is not part of the answer if it is a message of the user', () => {
    const chunks = run(
      { type: 'message-start', messageId: 'u', role: 'user' },
      { type: 'block-start', blockId: 'q', kind: 'text' },
      { type: 'block-delta', blockId: 'q', text: 'When?' },
      { type: 'block-end', blockId: 'q' },
      { type: 'message-end', messageId: 'u' },
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-delta', blockId: 'b', text: 'Now.' },
    )
    expect(chunks.map(({ type, content }) => [type, content])).toEqual([['stream', 'Now.']])
  })
})
