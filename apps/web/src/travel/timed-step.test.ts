import { fold } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { markText, stepAt, stepBeside, wordsAt } from './timed-step.ts'
import { headText, horizonText, silenceText } from './travel-words.ts'

const steps = [4, 9, 20].map((seq, index) => ({ number: index + 1, seq, time: seq * 100 }))

describe('the steps of the dock', () => {
  it('go on to the next, and back to the beginning of the own one first', () => {
    expect([3, 4, 12].map((seq) => stepAt(steps, seq)?.number)).toEqual([undefined, 1, 2])
    expect([1, 4, 20].map((seq) => stepBeside(steps, seq, 1)?.seq)).toEqual([4, 9, undefined])
    expect([4, 12, 20].map((seq) => stepBeside(steps, seq, -1)?.seq)).toEqual([undefined, 9, 9])
  })
})

describe('the words of the dock', () => {
  it('name what a mark is, and what the agent does at an entry', () => {
    expect(markText({ kind: 'failure', seq: 1, at: 0, text: 'Overloaded\nat 3' })).toBe('Overloaded')
    expect(markText({ kind: 'message', seq: 1, at: 0, text: '' })).toBe('Message')
    const { chatEvents } = fold(
      [
        { type: 'run-start' as const },
        { type: 'message-start' as const, messageId: 'm', role: 'assistant' as const },
        { type: 'block-start' as const, blockId: 'b', kind: 'reasoning' as const },
        { type: 'tool-start' as const, callId: 'c', name: 'Bash', runBy: 'agent' as const },
      ].map((event, index) => ({ seq: index + 1, at: 0, event, rawThrough: 0 })),
      { runId: 'r' },
    )
    expect([1, 3, 4].map((seq) => wordsAt(chatEvents, 'r', seq))).toEqual(['Between pieces', 'Thinks', 'Bash'])
  })

  it('count what lies ahead', () => {
    expect(horizonText({ entries: 1_542, failures: 2, approvals: 1 }, 0)).toBe(
      '1,542 entries later, 2 failures, 1 approval',
    )
    expect(horizonText({ entries: 1, failures: 1, approvals: 0 }, 2)).toBe('1 entry later, 1 failure, 2 later runs')
    expect(horizonText({ entries: 0, failures: 0, approvals: 0 }, 1)).toBe('1 later run')
    expect(horizonText({ entries: 0, failures: 0, approvals: 0 }, 0)).toBe('nothing later')
  })

  it('say where the head is, and how long a silence was', () => {
    expect(headText(47_200, 742, 1_284)).toBe('0:47.2, entry 742 of 1,284')
    expect([18_000, 240_000, 7_200_000].map(silenceText)).toEqual(['18 s', '4 min', '2 h'])
  })
})
