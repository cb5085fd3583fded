import type { ChatEvent, Segment } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { eventOf } from '../test/html.ts'
import { error, text, thought, tool } from '../test/segments.ts'
import { createTurns, type Turn } from './thread-turns.ts'

/** A message of a run; its segments are numbered through the run. */
const message = (name: string, segments: readonly Segment[], fields: Partial<ChatEvent> = {}): ChatEvent =>
  eventOf(segments, { id: `run/${name}`, seqs: [segments[0]?.seqs[0] ?? 0, segments.at(-1)?.seqs[1] ?? 0], ...fields })
const user = (name: string, seq: number, fields: Partial<ChatEvent> = {}) =>
  message(name, [text(seq, 'Please.')], { role: 'user', ...fields })
const turnsOf = (...events: readonly ChatEvent[]) => createTurns()(events)
const kinds = ({ pieces }: Turn) => pieces.map(({ kind }) => kind)

describe('the turns of a thread', () => {
  it('begin at each message of the user; what precedes the first one is a turn, too', () => {
    const all = turnsOf(message('a', [text(1, 'Hello.')]), user('b', 2), message('c', [text(3, 'Yes.')]), user('d', 4))
    expect(all.map(({ id }) => id)).toEqual(['run/a', 'run/b', 'run/d'])
    expect(all.map(({ events }) => events.length)).toEqual([1, 2, 1])
    expect(all.map(({ runGoesOn }) => runGoesOn)).toEqual([true, true, false])
  })

  it('fold tools across messages, and not across what is between them', () => {
    const calls = (seq: number) => message(`m${seq}`, [tool(seq, 'Read')])
    const [turn] = turnsOf(user('u', 1), calls(2), calls(3), calls(4), message('n', [text(5, 'So.'), tool(6, 'Read')]))
    expect(turn && kinds(turn)).toEqual(['message', 'tools', 'segment', 'segment'])
    const [other] = turnsOf(user('u', 1), calls(2), message('n', [thought(3, 'Hm.', 10)]), calls(4), calls(5))
    expect(other && kinds(other)).toEqual(['message', 'segment', 'thinking', 'segment', 'segment'])
  })

  it('do not join what belongs to two runs: their entries have the same numbers', () => {
    const calls = (runId: string) => message('m', [tool(2, 'Read'), tool(3, 'Read')], { id: `${runId}/m`, runId })
    const [turn] = turnsOf(calls('one'), calls('two'))
    expect(turn && kinds(turn)).toEqual(['segment', 'segment', 'segment', 'segment'])
    expect(new Set(turn?.pieces.map(({ id }) => id)).size).toBe(4)
  })

  it('end a failed run with its error, and an error that the run survived stays where it was', () => {
    const failed = message('m', [text(2, 'I try.'), error(3, 'Overloaded')])
    const [turn] = turnsOf(user('u', 1), failed)
    expect(turn && kinds(turn)).toEqual(['message', 'segment', 'fatal'])
    const [survived] = turnsOf(user('u', 1), failed, message('n', [text(4, 'Again.')]))
    expect(survived && kinds(survived)).toEqual(['message', 'segment', 'segment', 'segment'])
    const [steered] = turnsOf(user('u', 1), failed, user('v', 4))
    expect(steered && kinds(steered)).toEqual(['message', 'segment', 'segment'])
  })

  it('say that a message was interrupted or withdrawn', () => {
    const [turn] = turnsOf(
      message('a', [text(1, 'Wrong.')], { state: 'retracted' }),
      message('b', [text(2, 'Ri')], { state: 'interrupted' }),
    )
    expect(turn && kinds(turn)).toEqual(['withdrawn', 'segment', 'cut'])
  })
})

describe('turns of a thread that grows', () => {
  const count = 50
  const asked = Array.from({ length: count }, (_, index) => [
    user(`u${index}`, index * 10 + 1),
    message(`m${index}`, [text(index * 10 + 2, 'Yes.'), tool(index * 10 + 3, 'Read')]),
  ]).flat()

  it('keep every turn but the last: a delta looks at no segment of another turn', () => {
    let looks = 0
    const turnsAt = createTurns({ isOwn: () => ++looks < 0 })
    const live = (words: string) => message('live', [tool(901, 'Bash'), text(902, words, 'live')], { state: 'live' })
    const before = turnsAt([...asked, live('Y')])
    expect(looks).toBeGreaterThanOrEqual(count)
    looks = 0
    const after = turnsAt([...asked, live('Yes')])
    expect(after).toHaveLength(count)
    expect(after.filter((turn, index) => turn !== before[index])).toEqual([after.at(-1)])
    // The last turn has three segments that could be joined.
    expect(looks).toBeLessThan(10)
  })

  it('keep the pieces whose segments did not change', () => {
    const turnsAt = createTurns()
    const [first, second] = [tool(2, 'Bash'), thought(3, 'Hm.', 10)]
    const live = (words: string) => message('live', [first, second, text(4, words, 'live')], { state: 'live' })
    const [old] = turnsAt([live('Y')])
    const [grown] = turnsAt([live('Yes')])
    const isKept = grown?.pieces.map((piece) => old?.pieces.includes(piece))
    expect(isKept).toEqual([true, true, false])
  })

  it('are the same list if nothing has changed', () => {
    const turnsAt = createTurns()
    expect(turnsAt([...asked])).toBe(turnsAt([...asked]))
  })
})
