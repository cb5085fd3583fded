import { parsers } from '@millrace/core/parse'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../entry.ts'
import { createFold, fold } from '../fold.ts'
import { createReplay } from './replay.ts'
import { createSpaced } from './spaced.ts'

const runs = [
  ...Object.entries(parsers).flatMap(([name, parser]) => fixturesOf(name).map((each) => recordedRun(parser, each))),
  ...generatedRuns(30, 5),
]

/** Numbers from 1 to `length` in an order that jumps, the same in every test run. */
function jumps(length: number, count: number): readonly number[] {
  let state = 12_345
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return 1 + (state % length)
  })
}

/** Many calls with streamed inputs, statuses and text: everything that a fold changes in place. */
function longRun(count: number): readonly Entry[] {
  const events: Entry['event'][] = [{ type: 'run-start' }, { type: 'message-start', messageId: 'm', role: 'assistant' }]
  for (let call = 0; events.length < count; call++) {
    const callId = `c${call}`
    events.push(
      { type: 'status', message: `part ${call}`, level: 'info' },
      { type: 'status', message: 'still', level: 'info' },
      { type: 'block-start', blockId: `b${call}`, kind: 'text' },
      { type: 'block-delta', blockId: `b${call}`, text: 'one ' },
      { type: 'block-delta', blockId: `b${call}`, text: 'two' },
      { type: 'block-end', blockId: `b${call}` },
      { type: 'tool-start', callId, name: 'Read', runBy: 'agent' },
      { type: 'tool-input-delta', callId, text: '{"path":["a' },
      { type: 'tool-input-delta', callId, text: `${call}"]` },
      { type: 'tool-progress', callId, channel: 'stdout', text: 'half' },
      { type: 'tool-progress', callId: `c${call - 1}`, channel: 'stdout', text: ' late' },
      { type: 'state', channel: 's', op: 'snapshot', value: { call } },
      { type: 'usage', scope: 'step', mode: 'add', outputTokens: 1 },
    )
  }
  return events
    .slice(0, count)
    .map((event, index) => ({ seq: index + 1, at: 1_000 + index, event, rawThrough: index + 1 }))
}

describe('a fork of a fold', () => {
  it('goes on as the fold does, and neither changes the other, wherever it is made', () => {
    for (const { name, entries } of [...runs, { name: 'long', entries: longRun(120) }]) {
      const whole = fold(entries)
      for (const cut of [1, Math.floor(entries.length / 3), Math.floor(entries.length / 2), entries.length - 1]) {
        const base = createFold()
        base.push(entries.slice(0, cut))
        const forks = [base.fork(), base.fork()] as const
        const before = structuredClone(base.snapshot())
        forks[0].push(entries.slice(cut))
        expect(forks[0].snapshot(), `${name} forked after ${cut}`).toEqual(whole)
        expect(base.snapshot(), `${name} after its fork went on`).toEqual(before)
        base.push(entries.slice(cut))
        expect(base.snapshot()).toEqual(whole)
        expect(forks[1].snapshot()).toEqual(before)
      }
    }
  })
})

describe('a replay', () => {
  it('is at every entry what the fold of the entries so far is, in any order, over every recording', () => {
    for (const { name, entries } of runs) {
      const replay = createReplay()
      replay.push(entries)
      const forward = createFold()
      const expected = entries.map((entry) => {
        forward.push([entry])
        return forward.snapshot()
      })
      for (const seq of jumps(entries.length, Math.min(60, 2 * entries.length)))
        expect(replay.at(seq), `${name} at ${seq}`).toEqual(expected[seq - 1])
    }
  })

  it('finds the checkpoints of a run that is longer than they are many, forward and back by one', () => {
    const entries = longRun(24_000)
    const replay = createReplay()
    for (let from = 0; from < entries.length; from += 700) replay.push(entries.slice(from, from + 700))
    const at = (seq: number) => fold(entries.slice(0, seq))
    for (const seq of jumps(entries.length, 4)) {
      expect(replay.at(seq)).toEqual(at(seq))
      for (const next of [seq - 1, seq - 2, seq + 1, seq]) expect(replay.at(next)).toEqual(at(next))
    }
    const near = replay.near(17_777)
    expect(17_777 - near).toBeLessThan(128)
    expect(replay.at(near)).toBe(replay.at(near))
    expect(replay.at(near)).toEqual(at(near))
  })

  it('shares what did not change, and has the ends', () => {
    const entries = longRun(200)
    const replay = createReplay({ runId: 'one' })
    replay.push(entries)
    expect(replay.at(0)).toEqual({ runId: 'one', chatEvents: [] })
    expect(replay.at(999)).toBe(replay.at(200))
    const [early, late] = [replay.at(100), replay.at(150)]
    expect(late.chatEvents[0]?.segments[0]).toBe(early.chatEvents[0]?.segments[0])
    replay.push(entries)
    expect(replay.length()).toBe(200)
  })
})

describe('spaced values', () => {
  it('are never more than there may be, and never further apart than twice the best', () => {
    const spaced = createSpaced<number>({ every: 4, most: 8 })
    for (let number = 1; number <= 1_000; number++) {
      spaced.offer(number, () => number)
      const found = spaced.atOrBefore(number)
      if (number >= 64) expect(number - (found?.seq ?? 0)).toBeLessThanOrEqual(number / 3)
      if (found !== undefined) expect([found.value, spaced.exactly(found.seq)]).toEqual([found.seq, found.seq])
    }
    expect(spaced.atOrBefore(3)).toBeUndefined()
    expect(spaced.exactly(3)).toBeUndefined()
  })
})
