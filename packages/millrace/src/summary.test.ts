import type { Loss } from '@millrace/core/losses'
import { describe, expect, it } from 'vitest'
import type { Messages } from './messages.ts'
import { printSummary } from './summary.ts'
import { findTarget, type Target } from './targets.ts'

const target = findTarget('events') as Target
const losses: readonly Loss[] = [
  { feature: 'raw', count: 1, reason: 'A record that was not understood is not useful in a chat view.' },
  { feature: 'tool-progress', count: 1_204, reason: 'Outputs alone.' },
]

/** The lines of the report on a terminal of that width. */
function answerOn(columns: number, lost: readonly Loss[]): readonly string[] {
  const lines: string[] = []
  const silent = () => {}
  const answer = (line: string) => void lines.push(...line.split('\n'))
  const paint = (_style: string, text: string) => text
  const messages: Messages = {
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
  const counts = {
    events: 9,
    unparsable: 0,
    unmapped: 0,
    filesLeftOut: 0,
    bytesLeftOut: 0,
    outcome: 'success' as const,
    losses: lost,
  }
  printSummary({ format: 'f', reason: undefined, to: 'chat', target, records: 3, counts, report: true }, messages)
  return lines
}

describe('the report of a conversion', () => {
  it('aligns what is lost, how often and why', () => {
    expect(answerOn(Number.POSITIVE_INFINITY, losses)).toEqual([
      'chat cannot carry everything in this run:',
      '  raw                1 ×  A record that was not understood is not useful in a chat view.',
      '  tool-progress  1,204 ×  Outputs alone.',
    ])
  })

  it('wraps a reason at the width of the terminal, within its column', () => {
    const lines = answerOn(60, losses)
    expect(lines).toEqual([
      'chat cannot carry everything in this run:',
      '  raw                1 ×  A record that was not understood',
      '                          is not useful in a chat view.',
      '  tool-progress  1,204 ×  Outputs alone.',
    ])
  })

  it('does not wrap a reason if there is no room for a column', () => {
    expect(answerOn(30, losses)).toHaveLength(3)
  })

  it('says in one line that nothing is lost', () => {
    expect(answerOn(80, [])).toEqual(['chat carries everything in this run.'])
  })
})
