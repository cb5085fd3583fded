import { describe, expect, it } from 'vitest'
import { eventOf } from '../test/html.ts'
import { status, text, thought, tool } from '../test/segments.ts'
import { announcementsOf } from './announcements.ts'
import { englishLabels } from './labels.ts'

const announced = (...segments: Parameters<typeof eventOf>[0][number][]) => [
  ...announcementsOf([eventOf(segments)], englishLabels).values(),
]

describe('announcements', () => {
  it('are one per finished block, tool or approval, and none while it is live', () => {
    expect(
      announced(status(1, ['a']), thought(2, 'b'), tool(3, 'x', { state: 'running' }), text(4, 'c', 'live')),
    ).toEqual([])
    expect(announced(status(1, ['a'], 4000), thought(2, 'b', 12_000), tool(3, 'x'), text(4, 'c'))).toEqual([
      'Processed in 4s',
      'Thought for 12s',
      'x finished',
      'Answer written',
    ])
    expect(announced(tool(1, 'Bash', { state: 'approval' }))).toEqual(['Approval needed: Bash'])
  })

  it('have a stable key, so that each is announced once', () => {
    const [before] = announcementsOf([eventOf([thought(1, 'a', 2000)])], englishLabels).keys()
    const [after] = announcementsOf([eventOf([thought(1, 'a', 2000), text(2, 'b', 'live')])], englishLabels).keys()
    expect(after).toBe(before)
    const german = { ...englishLabels, toolFinished: (name: string) => `${name} ist fertig` }
    expect([...announcementsOf([eventOf([thought(1, 'a', 2000), tool(2, 'x')])], german).keys()]).toEqual([
      ...announcementsOf([eventOf([thought(1, 'a', 2000), tool(2, 'x')])], englishLabels).keys(),
    ])
  })
})
