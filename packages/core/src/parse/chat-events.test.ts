import { describe, expect, it } from 'vitest'
import { parserOf, recordsOf, through } from '../../test/parse.ts'
import type { StreamEvent } from '../events.ts'
import { chatEvents } from './chat-events.ts'

const read = (...values: readonly object[]) => through(parserOf(chatEvents), recordsOf(values))

const chatEvent = (segments: readonly object[], more: object = {}) => ({
  id: 'run/m1',
  runId: 'run',
  role: 'assistant',
  state: 'done',
  segments,
  ...more,
})
const text = (words: string, more: object = {}) => ({ type: 'text', id: 't', text: words, state: 'done', ...more })
const tool = (callId: string, more: object = {}) => ({ type: 'tool', callId, name: 'wait', state: 'done', ...more })

const types = (events: readonly StreamEvent[]) => events.map(({ type }) => type)

describe('an export that is read back', () => {
  it('restores the id that a message had in its run', () => {
    expect(read(chatEvent([]))[0]).toEqual({ type: 'message-start', messageId: 'm1', role: 'assistant' })
    expect(read(chatEvent([], { id: 'other' }))[0]).toMatchObject({ messageId: 'other' })
  })

  it('restores the order in which events were logged', () => {
    const events = read(
      chatEvent([
        tool('a', { seqs: [2, 8], startedAt: 1, endedAt: 4, output: 1 }),
        tool('b', { seqs: [4, 6], startedAt: 2, endedAt: 3, output: 2 }),
      ]),
    )
    const seen = events.flatMap((event) =>
      event.type === 'tool-start' || event.type === 'tool-output' ? [[event.callId, event.type, event.sentAt]] : [],
    )
    expect(seen).toEqual([
      ['a', 'tool-start', 1],
      ['b', 'tool-start', 2],
      ['b', 'tool-output', 3],
      ['a', 'tool-output', 4],
    ])
  })

  it('emits a list before the input of the call that wrote it, so that it is not derived from the input again', () => {
    const list = { type: 'todos', listId: 'todos', items: [], seqs: [4, 4] }
    const events = read(chatEvent([tool('a', { shownAs: 'todos', seqs: [2, 6], endedAt: 1, output: '' }), list]))
    expect(types(events)).toEqual([
      'message-start',
      'tool-start',
      'todos',
      'todos',
      'tool-input',
      'tool-output',
      'message-end',
      'run-end',
    ])
    expect(events[3]).toMatchObject({ listId: 'todos', op: 'update', callId: 'a' })
  })

  it('puts a thought back into the text that held it', () => {
    const meta = { millrace: { open: '<think>', close: '</think>' } }
    const events = read(chatEvent([{ ...text('Hm.'), type: 'reasoning', variant: 'think-tag', meta }]))
    expect(events.slice(1, 3)).toEqual([
      { type: 'block-start', blockId: 't', kind: 'text' },
      { type: 'block-delta', blockId: 't', text: '<think>Hm.</think>' },
    ])
  })

  it.each([
    ['success', chatEvent([text('Done.')])],
    ['awaiting-input', chatEvent([tool('a', { state: 'ready' })])],
    ['error', chatEvent([{ type: 'error', message: 'Broken.' }], { state: 'interrupted' })],
  ])('ends as %s if its last state implies that', (outcome, value) => {
    expect(read(value).at(-1)).toMatchObject({ type: 'run-end', outcome })
  })

  it.each([
    ['a message that was cut off', chatEvent([text('Cut')], { state: 'interrupted' })],
    ['a message that is live', chatEvent([text('Cut', { state: 'live' })], { state: 'live' })],
  ])('does not end with %s', (_what, value) => {
    expect(types(read(value))).not.toContain('run-end')
  })

  it('takes the outcome of a whole run if it has one', () => {
    const run = { runId: 'run', chatEvents: [chatEvent([text('Done.')])], outcome: 'cancelled' }
    expect(read(run).at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
  })

  it('keeps a segment of an unknown type', () => {
    const segment = { type: 'hologram', words: 'Hello' }
    expect(read(chatEvent([segment]))).toContainEqual({ type: 'raw', value: segment, reason: 'unmapped' })
  })
})
