import type { ChatEvent } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { eventOf } from '../test/html.ts'
import { text } from '../test/segments.ts'
import { createTurns } from './thread-turns.ts'
import { factsOfTurn, type TotalsByRun } from './turn-facts.ts'

const SECOND = 1000
const NONE: TotalsByRun = new Map()

function message(name: string, fields: Partial<ChatEvent> = {}): ChatEvent {
  return eventOf([text(1, name)], { id: `run/${name}`, startedAt: SECOND, endedAt: 4 * SECOND, ...fields })
}
const user = (name: string) => message(name, { role: 'user' })
const answer = (name: string, input: number, fields: Partial<ChatEvent> = {}) =>
  message(name, { model: 'tide-2', usage: { inputTokens: input, outputTokens: 1 }, ...fields })
const factsOf = (events: readonly ChatEvent[], totals = NONE) =>
  createTurns()(events).map((turn) => factsOfTurn(turn, totals))

describe('the facts of a turn', () => {
  it('add up its messages, name each model once, and take as long as they took together', () => {
    const late = { startedAt: 5 * SECOND, endedAt: 9 * SECOND }
    const [facts] = factsOf([user('u'), answer('a', 10), answer('b', 5), answer('c', 1, { model: 'weir', ...late })])
    expect(facts).toMatchObject({
      models: ['tide-2', 'weir'],
      usage: { inputTokens: 16, outputTokens: 3 },
      durationMs: 8 * SECOND,
    })
  })

  it('are those of the run if all of it is in the turn: its cost is reported for the run only', () => {
    const usage = { inputTokens: 40, outputTokens: 9, costUsd: 0.42 }
    const totals: TotalsByRun = new Map([['run', { usage, startedAt: SECOND, endedAt: 60 * SECOND }]])
    expect(factsOf([user('u'), answer('a', 10)], totals)).toMatchObject([{ usage, durationMs: 59 * SECOND }])
    const steered = factsOf([user('u'), answer('a', 10), user('v'), answer('b', 5)], totals)
    expect(steered).toMatchObject([{ usage: { inputTokens: 10 } }, { usage: { inputTokens: 5 } }])
    expect(steered.map(({ durationMs }) => durationMs)).toEqual([3 * SECOND, 3 * SECOND])
  })

  it('have a step for each step with counts, and without steps for each message with counts', () => {
    const steps: ChatEvent['steps'] = [
      { kind: 'model', seqs: [1, 2], usage: { inputTokens: 3 } },
      { kind: 'node', name: 'plan', number: 7, seqs: [3, 4], usage: { inputTokens: 4 } },
      { kind: 'model', seqs: [5, 6] },
    ]
    const [facts] = factsOf([user('u'), answer('a', 7, { steps }), answer('b', 5)])
    expect(facts?.steps.map(({ number, name, usage }) => [number, name, usage.inputTokens])).toEqual([
      [1, undefined, 3],
      [7, 'plan', 4],
      [3, undefined, 5],
    ])
  })
})
