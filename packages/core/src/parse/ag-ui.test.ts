import { describe, expect, it } from 'vitest'
import { ofType, recordsOf, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import { recordOf } from '../source/source.ts'
import { agUi } from './ag-ui.ts'

type Raw = { readonly type: string; readonly [field: string]: unknown }

const read = (...raws: readonly Raw[]) => through(createReader(agUi), recordsOf(raws))

const started: Raw = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const finished: Raw = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const textMessage = (messageId: string, delta: string): Raw[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
]
const toolCall = (toolCallId: string, parentMessageId?: string): Raw[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'look', parentMessageId },
  { type: 'TOOL_CALL_END', toolCallId },
]
const snapshot = (...messages: readonly object[]): Raw => ({ type: 'MESSAGES_SNAPSHOT', messages })

describe('messages', () => {
  it('without an id continue the text that was opened last and is still open', () => {
    const starts = ['m1', 'm2', 'm3'].map((messageId) => ({ type: 'TEXT_MESSAGE_START', messageId }))
    const events = read(
      started,
      ...starts,
      { type: 'TEXT_MESSAGE_END', messageId: 'm3' },
      { type: 'TEXT_MESSAGE_CONTENT', delta: 'On.' },
    )
    expect(ofType(events, 'block-delta').map(({ blockId }) => blockId)).toEqual(['m2'])
  })

  it('join a thought, the text after it and the calls of that text', () => {
    const events = read(
      started,
      { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r1', delta: 'Hm.' },
      ...textMessage('m1', 'I look.'),
      ...toolCall('c1', 'm1'),
      { type: 'TOOL_CALL_RESULT', toolCallId: 'c1', content: 'A boat.' },
      ...textMessage('m2', 'A boat.'),
      finished,
    )
    expect(ofType(events, 'message-start').map(({ messageId }) => messageId)).toEqual(['r1', 'm2'])
    expect(ofType(events, 'tool-start')).toMatchObject([{ messageId: 'r1' }])
  })

  it('begin with a call whose message has not appeared before', () => {
    const events = read(
      started,
      ...textMessage('m1', 'I look.'),
      ...toolCall('c1', 'm2'),
      ...toolCall('c2', 'm1'),
      finished,
    )
    expect(ofType(events, 'tool-start').map(({ messageId }) => messageId)).toEqual(['m2', 'm2'])
  })
})

describe('a snapshot', () => {
  it('draws no content that was streamed, not even with new ids', () => {
    const streamed = [started, ...textMessage('m1', 'Yes.'), ...textMessage('m2', 'Yes.')]
    const again = snapshot(
      { id: 'x', role: 'assistant', content: 'Yes.' },
      { id: 'y', role: 'assistant', content: 'Yes.' },
    )
    expect(ofType(read(...streamed, again, finished), 'block-start')).toHaveLength(2)
  })

  it('draws a text that occurs more often than it was streamed', () => {
    const yes = (id: string) => ({ id, role: 'assistant', content: 'Yes.' })
    const events = read(started, ...textMessage('m1', 'Yes.'), snapshot(yes('x'), yes('y')), finished)
    expect(ofType(events, 'block-delta').map(({ text }) => text)).toEqual(['Yes.', 'Yes.'])
  })

  it('does not draw history after the agent has sent content, and keeps it as state', () => {
    const user = { id: 'u1', role: 'user', content: 'What do you see?' }
    const events = read(
      started,
      ...textMessage('m1', 'A boat.'),
      snapshot(user, { id: 'm1', role: 'assistant', content: 'A boat.' }),
    )
    expect(ofType(events, 'message-start').map(({ role }) => role)).toEqual(['assistant'])
    expect(ofType(events, 'state')).toMatchObject([{ channel: 'messages', op: 'snapshot' }])
  })

  it('answers a call that has no result', () => {
    const events = read(
      started,
      ...toolCall('c1'),
      snapshot({ id: 't', role: 'tool', toolCallId: 'c1', content: 'A boat.' }),
      finished,
    )
    expect(ofType(events, 'tool-output')).toMatchObject([{ callId: 'c1', status: 'ok', output: 'A boat.' }])
    expect(ofType(events, 'run-end')).toMatchObject([{ outcome: 'success' }])
  })
})

describe('the end of a run', () => {
  it.each<[string, readonly Raw[], string]>([
    ['without an outcome is a success', [finished], 'success'],
    ['of a cancelled run is cancelled', [{ ...finished, outcome: { type: 'cancelled' } }], 'cancelled'],
    ['with a call without a result awaits the client', [...toolCall('c1'), finished], 'awaiting-input'],
    [
      'does not wait for a call if the agent continued without its result',
      [...toolCall('c1'), ...textMessage('m1', 'Well.'), finished],
      'success',
    ],
    ['with a failure is an error', [{ type: 'RUN_ERROR', message: 'No.' }], 'error'],
    ['before a new run is not the end of the stream', [finished, started], 'interrupted'],
    ['that is missing leaves the run interrupted', textMessage('m1', 'Hm'), 'interrupted'],
  ])('%s', (_, raws, outcome) => {
    expect(ofType(read(started, ...raws), 'run-end')).toMatchObject([{ outcome }])
  })
})

describe('chunks', () => {
  it('without an id continue what is open, and state between them ends no block', () => {
    const events = read(
      started,
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'One ' },
      { type: 'STATE_SNAPSHOT', snapshot: 1 },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'boat.' },
      finished,
    )
    expect(ofType(events, 'block-start')).toHaveLength(1)
  })
})

describe('an endless stream', () => {
  it('is read in bounded memory', () => {
    const parser = agUi.create()
    const push = (raw: Raw) => parser.push(raw, recordOf('{}'))
    for (let at = 0; at < 20_000; at++) for (const raw of textMessage(`m${at}`, 'Hello again.')) push(raw)
    const before = snapshot(
      { id: 'm0', role: 'assistant', content: 'Hello again.' },
      { id: 'm1', role: 'user', content: 'x' },
    )
    expect(push(before).length).toBeLessThan(10)
  })
})
