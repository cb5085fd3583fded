import { describe, expect, it } from 'vitest'
import { entries } from '../../test/entries.ts'
import type { StreamEvent } from '../events.ts'
import { createFold, fold } from './fold.ts'

const step = (number: number, more: object = {}): StreamEvent => ({
  type: 'step-start',
  kind: 'action',
  number,
  ...more,
})
const stepEnd: StreamEvent = { type: 'step-end' }
const used = (inputTokens: number, more: object = {}): StreamEvent => ({
  type: 'usage',
  scope: 'step',
  mode: 'snapshot',
  inputTokens,
  ...more,
})
const text = (blockId: string): StreamEvent[] => [
  { type: 'block-start', blockId, kind: 'text' },
  { type: 'block-end', blockId },
]
const start = (messageId: string, role: 'assistant' | 'user' = 'assistant'): StreamEvent => ({
  type: 'message-start',
  messageId,
  role,
})
const end = (messageId: string): StreamEvent => ({ type: 'message-end', messageId })

/** The steps of each message of a run. `entries` opens the message `m` at entry 2. */
const stepsOf = (...events: readonly StreamEvent[]) => fold(entries(...events)).chatEvents.map(({ steps }) => steps)

describe('the steps of a message', () => {
  it('S2-39: are its steps in order, with their kind, number, name, entries and usage', () => {
    const events = [
      step(1, { kind: 'planning', name: 'look' }),
      ...text('a'),
      used(5),
      stepEnd,
      step(2),
      ...text('b'),
      stepEnd,
    ]
    expect(stepsOf(...events)).toEqual([
      [
        { kind: 'planning', number: 1, name: 'look', seqs: [3, 7], usage: { inputTokens: 5 } },
        { kind: 'action', number: 2, seqs: [8, 11] },
      ],
    ])
  })

  it('are absent if it has none, and do not contain those of subagents', () => {
    const [chat] = fold(
      entries({ type: 'step-start', kind: 'model', agentId: 'a' }, { type: 'step-end', agentId: 'a' }),
    ).chatEvents
    expect(chat).not.toHaveProperty('steps')
  })

  it('reach as far as the message while they are open', () => {
    expect(stepsOf(step(1), ...text('a'))).toEqual([[{ kind: 'action', number: 1, seqs: [3, 5] }]])
  })

  it('begin in the next message of the assistant if they begin before it, or in none', () => {
    const events = [end('m'), step(1), start('u', 'user'), end('u'), start('n'), stepEnd, end('n')]
    expect(stepsOf(...events)).toEqual([undefined, undefined, [{ kind: 'action', number: 1, seqs: [4, 8] }]])
    expect(stepsOf(end('m'), step(1), stepEnd, start('n'))).toEqual([undefined, undefined])
  })

  it('end with the next step, whatever the stream omits', () => {
    expect(stepsOf(step(1), step(2))).toMatchObject([[{ seqs: [3, 4] }, { seqs: [4, 4] }]])
  })

  it('S2-38: have the counts that follow their end, but not those of another message', () => {
    expect(stepsOf(step(1), stepEnd, used(5), used(7))).toMatchObject([[{ usage: { inputTokens: 7 } }]])
    const [first, second] = stepsOf(step(1), stepEnd, end('m'), start('n'), used(5))
    expect(first?.[0]).not.toHaveProperty('usage')
    expect(second).toBeUndefined()
  })

  it('are shared by snapshots while they do not change', () => {
    const folded = createFold()
    folded.push(entries(step(1), used(5), stepEnd, step(2)))
    const before = folded.snapshot().chatEvents[0]?.steps
    folded.push(entries(step(1), used(5), stepEnd, step(2), ...text('a')))
    const after = folded.snapshot().chatEvents[0]?.steps
    expect(after?.[0]).toBe(before?.[0])
    expect(after?.[1]).not.toBe(before?.[1])
    expect(before?.[1]?.seqs).toEqual([6, 6])
  })
})

describe('the call that gave the final answer', () => {
  const call: StreamEvent[] = [
    { type: 'tool-start', callId: 'c', name: 'final_answer', runBy: 'agent' },
    { type: 'tool-input', callId: 'c', input: { answer: 'At six.' } },
  ]
  const done: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 'At six.' }
  const shownAs = (...events: readonly StreamEvent[]) => {
    const [tool] = fold(entries(...events)).chatEvents[0]?.segments ?? []
    return tool?.type === 'tool' ? tool.shownAs : 'no tool'
  }

  it('S2-30: is shown as the text of the final step, and not as a card', () => {
    expect(shownAs(...call, done, { type: 'step-start', kind: 'final' })).toBe('answer')
    expect(shownAs(...call, done, step(2))).toBeUndefined()
  })

  it('is a card if it has failed, or is of another tool', () => {
    const failed: StreamEvent = { ...done, status: 'error' } as StreamEvent
    expect(shownAs(...call, failed, { type: 'step-start', kind: 'final' })).toBeUndefined()
    const [start, ...rest] = call
    const other = { ...start, name: 'answer' } as StreamEvent
    expect(shownAs(other, ...rest, done, { type: 'step-start', kind: 'final' })).toBeUndefined()
  })
})
