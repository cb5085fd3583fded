import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import type { StreamEvent } from '../events.ts'
import { fold } from './fold.ts'
import { createJoin } from './join-runs.ts'
import type { ChatEvent } from './shapes.ts'

const message: StreamEvent = { type: 'message-start', messageId: 'm', role: 'assistant' }

function chatEventsOf(runId: string, ...events: readonly StreamEvent[]): readonly ChatEvent[] {
  const all: StreamEvent[] = [{ type: 'run-start' }, message, ...events]
  const entries = all.map((event, index): Entry => ({ seq: index + 1, at: index * 10, event, rawThrough: 0 }))
  return fold(entries, { runId }).chatEvents
}

const openCall: readonly StreamEvent[] = [
  { type: 'tool-start', callId: 'c', name: 'search', runBy: 'client' },
  { type: 'tool-input', callId: 'c', input: { query: 'mill' } },
]

/** The events that `balance` emits for an output whose call is in another run. */
const lateOutput: readonly StreamEvent[] = [
  { type: 'tool-start', callId: 'c', name: 'unknown', runBy: 'agent', meta: { millrace: { orphan: true } } },
  { type: 'tool-input', callId: 'c', input: {} },
  { type: 'tool-output', callId: 'c', status: 'ok', output: ['one'] },
]

const answerText: readonly StreamEvent[] = [
  { type: 'block-start', blockId: 'b', kind: 'text' },
  { type: 'block-delta', blockId: 'b', text: 'Found one.' },
]

describe('joined runs', () => {
  it('show a later output at its call, and not in the later run', () => {
    const joined = createJoin()([
      ...chatEventsOf('one', ...openCall),
      ...chatEventsOf('two', ...lateOutput, ...answerText),
    ])
    expect(joined.map(({ segments }) => segments)).toMatchObject([
      [{ type: 'tool', callId: 'c', name: 'search', input: { query: 'mill' }, state: 'done', output: ['one'] }],
      [{ type: 'text', text: 'Found one.' }],
    ])
  })

  it('show each output at the call before it, if every question leads to a call of the same id', () => {
    const outputs = ['first', 'second', 'third']
    const runs = outputs.flatMap((value, nth) => [
      ...chatEventsOf(`asking-${nth}`, ...openCall),
      ...chatEventsOf(
        `answering-${nth}`,
        ...lateOutput.map((event) => (event.type === 'tool-output' ? { ...event, output: value } : event)),
        ...answerText,
      ),
    ])
    const join = createJoin()
    expect(join(runs).flatMap(({ segments }) => segments)).toMatchObject(
      outputs.flatMap((output) => [{ type: 'tool', state: 'done', output }, { type: 'text' }]),
    )
    // A call that has no output yet is open, whatever the calls before it got.
    const [call] = join([...runs, ...chatEventsOf('last', ...openCall)]).at(-1)?.segments ?? []
    expect([call?.type, call?.endedAt]).toEqual(['tool', undefined])
  })

  it('name the maker of a later answer', () => {
    const question: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested', callId: 'c' }
    const answer: Entry = {
      seq: 3,
      at: 30,
      event: { type: 'approval', approvalId: 'a', state: 'approved' },
      rawThrough: 0,
      by: 'server',
    }
    const before: readonly Entry[] = [{ type: 'run-start' } as const, message].map((event, index) => ({
      seq: index + 1,
      at: 0,
      event,
      rawThrough: 0,
    }))
    const answered = fold([...before, answer], { runId: 'two' }).chatEvents
    const [call] = createJoin()([...chatEventsOf('one', ...openCall, question), ...answered])[0]?.segments ?? []
    expect(call).toMatchObject({ approval: { state: 'approved', by: 'server' } })
  })

  it('leave out a message that contains nothing else', () => {
    const joined = createJoin()([...chatEventsOf('one', ...openCall), ...chatEventsOf('two', ...lateOutput)])
    expect(joined.map(({ runId }) => runId)).toEqual(['one'])
  })

  it('show an output without a call in its own run', () => {
    const alone = chatEventsOf('two', ...lateOutput)
    expect(createJoin()(alone)).toEqual(alone)
    const finished: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 'first' }
    const both = [...chatEventsOf('one', ...openCall, finished), ...alone]
    expect(createJoin()(both)).toEqual(both)
  })

  it('show a later answer at the question of a call', () => {
    const request: StreamEvent = {
      type: 'approval',
      approvalId: 'a',
      state: 'requested',
      callId: 'c',
      message: 'May I?',
    }
    const answer: readonly StreamEvent[] = [
      { type: 'approval', approvalId: 'a', state: 'requested' },
      { type: 'approval', approvalId: 'a', state: 'approved' },
    ]
    const joined = createJoin()([
      ...chatEventsOf('one', ...openCall, request),
      ...chatEventsOf('two', ...answer, ...answerText),
    ])
    expect(joined[0]?.segments).toMatchObject([
      { state: 'running', approval: { message: 'May I?', state: 'approved' } },
    ])
    expect(joined[1]?.segments).toMatchObject([{ type: 'text' }])
  })

  it('show a later answer at a question without a call', () => {
    const question = chatEventsOf('one', { type: 'approval', approvalId: 'a', state: 'requested', message: 'Which?' })
    const answer = chatEventsOf('two', { type: 'approval', approvalId: 'a', state: 'answered', answer: 'this' })
    expect(createJoin()([...question, ...answer])).toMatchObject([
      { runId: 'one', segments: [{ type: 'approval', message: 'Which?', state: 'answered', answer: 'this' }] },
    ])
  })

  it('show what a later answer approves', () => {
    const ask: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested' }
    const more = { remember: 'session', input: { path: 'b' } } as const
    const answer: StreamEvent = { ...ask, state: 'approved', ...more }
    const joined = createJoin()([
      ...chatEventsOf('one', ...openCall, { ...ask, callId: 'c' }),
      ...chatEventsOf('two', answer),
    ])
    expect(joined[0]?.segments).toMatchObject([{ state: 'running', approval: { state: 'approved', ...more } }])
  })

  it('complete the open call of a subagent', () => {
    const nested: readonly StreamEvent[] = [
      { type: 'subagent-start', agentId: 's', name: 'scout' },
      ...openCall.map((event) => ({ ...event, agentId: 's' })),
    ]
    const joined = createJoin()([...chatEventsOf('one', ...nested), ...chatEventsOf('two', ...lateOutput)])
    expect(joined).toMatchObject([{ segments: [{ type: 'subagent', segments: [{ callId: 'c', state: 'done' }] }] }])
  })

  it('keep the identity of a subagent that gets no answer', () => {
    const nested = ['s', 'other'].flatMap((agentId): StreamEvent[] => [
      { type: 'subagent-start', agentId, name: 'scout' },
      { type: 'tool-start', callId: agentId === 's' ? 'c' : 'd', name: 'search', runBy: 'client', agentId },
    ])
    const chatEvents = chatEventsOf('one', ...nested)
    const [joined] = createJoin()([...chatEvents, ...chatEventsOf('two', ...lateOutput)])
    expect(joined?.segments[0]).not.toBe(chatEvents[0]?.segments[0])
    expect(joined?.segments[1]).toBe(chatEvents[0]?.segments[1])
  })

  it('keep the identity of what did not change, changed messages included', () => {
    const join = createJoin()
    const chatEvents = [
      ...chatEventsOf('zero', ...answerText),
      ...chatEventsOf('one', ...openCall),
      ...chatEventsOf('two', ...lateOutput, ...answerText),
    ]
    const before = join(chatEvents)
    const after = join([...chatEvents, ...chatEventsOf('three', ...answerText)])
    expect(before[0]).toBe(chatEvents[0])
    expect(before[1]).not.toBe(chatEvents[1])
    for (const index of [0, 1, 2]) expect(after[index]).toBe(before[index])
  })
})
