import { describe, expect, it } from 'vitest'
import { chunksOfEach } from '../../../test/wire/ai-sdk.ts'
import type { StreamEvent } from '../../events.ts'

const chunks = (...events: readonly StreamEvent[]) => chunksOfEach(events).flat()
const millrace = (fields: object) => ({ providerMetadata: { millrace: fields } })

describe('a part', () => {
  it.each<[string, StreamEvent, object[]]>([
    [
      'is a source with its address',
      { type: 'source', sourceId: 's', kind: 'url', url: 'https://x', title: 'X', snippet: 'y' },
      [{ type: 'source-url', sourceId: 's', url: 'https://x', title: 'X', ...millrace({ snippet: 'y' }) }],
    ],
    [
      'is a document, with the title and type that the client requires',
      { type: 'source', sourceId: 's', kind: 'file', url: 'https://x/a.pdf' },
      [
        {
          type: 'source-document',
          sourceId: 's',
          mediaType: 'application/octet-stream',
          title: 'https://x/a.pdf',
          ...millrace({ kind: 'file', url: 'https://x/a.pdf' }),
        },
      ],
    ],
    [
      'is a file with its address',
      { type: 'file', fileId: 'f', mediaType: 'image/png', url: '/api/files/f', filename: 'a.png' },
      [{ type: 'file', url: '/api/files/f', mediaType: 'image/png', ...millrace({ fileId: 'f', filename: 'a.png' }) }],
    ],
    [
      'is a file with its bytes',
      { type: 'file', fileId: 'f', mediaType: 'image/png', bytes: 'AA==' },
      [{ type: 'file', url: 'data:image/png;base64,AA==', mediaType: 'image/png', ...millrace({ fileId: 'f' }) }],
    ],
    [
      'is a file with its bytes if it also has an address, which only the agent may be able to open',
      { type: 'file', fileId: 'f', mediaType: 'image/png', bytes: 'AA==', url: 'file:///a.png' },
      [
        {
          type: 'file',
          url: 'data:image/png;base64,AA==',
          mediaType: 'image/png',
          ...millrace({ fileId: 'f', url: 'file:///a.png' }),
        },
      ],
    ],
    [
      'is data that names its agent',
      { type: 'data', name: 'chart', data: 1, agentId: 'a' },
      [{ type: 'data-chart', data: 1, ...millrace({ agentId: 'a' }) }],
    ],
    [
      'is data if a file has neither',
      { type: 'file', fileId: 'f', mediaType: 'image/png' },
      [{ type: 'data-file', id: 'f', data: { fileId: 'f', mediaType: 'image/png' } }],
    ],
    [
      'is data under its own name',
      { type: 'data', name: 'chart', id: 'd', data: null, transient: true },
      [{ type: 'data-chart', id: 'd', data: null, transient: true }],
    ],
    ['is data without a name', { type: 'data', name: '', data: 1 }, [{ type: 'data-custom', data: 1 }]],
    [
      'is the state of a channel',
      { type: 'state', channel: 'values', op: 'snapshot', value: { a: 1 } },
      [{ type: 'data-state', data: { channel: 'values', op: 'snapshot', value: { a: 1 } } }],
    ],
    [
      'is an error that did not end the run, as a chunk `error` would',
      { type: 'error', message: 'Retrying', code: '529', agentId: 'a' },
      [{ type: 'data-error', data: { message: 'Retrying', code: '529', agentId: 'a' } }],
    ],
    [
      'is the list of messages that are void',
      { type: 'message-retract', messageIds: ['m'] },
      [{ type: 'data-retract', data: { messageIds: ['m'] } }],
    ],
    [
      'is a status',
      { type: 'status', message: 'Working', level: 'warn' },
      [{ type: 'data-status', id: 'status_1', data: { message: 'Working', level: 'warn' } }],
    ],
    [
      'is metadata of the message',
      { type: 'metadata', metadata: { session: 's' } },
      [{ type: 'message-metadata', messageMetadata: { session: 's' } }],
    ],
    ['is nothing for a request', { type: 'control', action: 'stop' }, []],
    ['is nothing for a raw record', { type: 'raw', value: { odd: 1 }, reason: 'unmapped' }, []],
  ])('%s', (_, event, expected) => {
    expect(chunks(event)).toEqual(expected)
  })

  it('keeps every status', () => {
    const status: StreamEvent = { type: 'status', message: 'Working', level: 'info' }
    expect(chunks(status, status).map(({ id }) => id)).toEqual(['status_1', 'status_2'])
  })
})

describe('a todo list', () => {
  it('is sent whole after every change, and empty when it is cleared', () => {
    const one = { id: '1', content: 'One', status: 'pending' } as const
    const two = { id: '2', content: 'Two', status: 'pending' } as const
    const done = { ...one, status: 'completed' } as const
    const all = chunks(
      { type: 'todos', listId: 'l', op: 'set', items: [one, two] },
      { type: 'todos', listId: 'l', op: 'update', items: [done] },
      { type: 'todos', listId: 'l', op: 'set', items: [] },
    )
    expect(all).toEqual([
      { type: 'data-todos', id: 'l', data: { items: [one, two] } },
      { type: 'data-todos', id: 'l', data: { items: [done, two] } },
      { type: 'data-todos', id: 'l', data: { items: [] } },
    ])
  })
})

describe('a subagent', () => {
  it('is one part that contains how it ended', () => {
    const start = { agentId: 'a', name: 'scout', task: 'Look', callId: 'c' }
    expect(
      chunks(
        { type: 'subagent-start', ...start },
        { type: 'subagent-end', agentId: 'a', status: 'failed', summary: 'No' },
      ),
    ).toEqual([
      { type: 'data-subagent', id: 'a', data: { ...start, state: 'live' } },
      { type: 'data-subagent', id: 'a', data: { ...start, state: 'failed', summary: 'No' } },
    ])
  })
})
