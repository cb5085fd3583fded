import type { Loss } from '@millrace/core/losses'
import { describe, expect, it } from 'vitest'
import { tellSummary } from './summary.ts'
import type { Talk } from './talk.ts'
import { findTarget, type Target } from './targets.ts'

const target = findTarget('events') as Target
const losses: readonly Loss[] = [
  { feature: 'raw', count: 1, reason: 'What nobody understood is of no use to those who read a chat.' },
  { feature: 'tool-progress', count: 1_204, reason: 'Outputs alone.' },
]

/** What is answered on a terminal of that width. */
function answerOn(columns: number, lost: readonly Loss[]): readonly string[] {
  const lines: string[] = []
  const silent = () => {}
  const answer = (line: string) => void lines.push(...line.split('\n'))
  const paint = (_style: string, text: string) => text
  const talk: Talk = {
    paint,
    columns,
    json: false,
    quiet: false,
    note: silent,
    detail: silent,
    answer,
    object: silent,
    failure: silent,
  }
  const counts = { events: 9, unparsable: 0, unmapped: 0, outcome: 'success' as const, losses: lost }
  tellSummary({ format: 'f', reason: undefined, to: 'chat', target, records: 3, counts, report: true }, talk)
  return lines
}

describe('the report of a conversion', () => {
  it('lines up what is lost, how often and why', () => {
    expect(answerOn(Number.POSITIVE_INFINITY, losses)).toEqual([
      'chat cannot carry all that this run holds:',
      '  raw                1 ×  What nobody understood is of no use to those who read a chat.',
      '  tool-progress  1,204 ×  Outputs alone.',
    ])
  })

  it('breaks a reason where the terminal ends, within its column', () => {
    const lines = answerOn(60, losses)
    expect(lines).toEqual([
      'chat cannot carry all that this run holds:',
      '  raw                1 ×  What nobody understood is of no',
      '                          use to those who read a chat.',
      '  tool-progress  1,204 ×  Outputs alone.',
    ])
  })

  it('leaves a reason whole where there is no room for a column', () => {
    expect(answerOn(30, losses)).toHaveLength(3)
  })

  it('says in one line that nothing is lost', () => {
    expect(answerOn(80, [])).toEqual(['chat carries all that this run holds.'])
  })
})
