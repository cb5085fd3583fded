import { describe, expect, it } from 'vitest'
import { eventOf } from '../../test/html.ts'
import { text, tool } from '../../test/segments.ts'
import { createTurns } from '../thread-turns.ts'
import { createRowHeights } from './row-heights.ts'
import { createRows, rowOfEntry } from './rows.ts'
import { articlesOf } from './window-articles.ts'
import { isCovered, planOf, rangeAt, rowAt, wholePlan } from './window-plan.ts'

/** A thousand rows of 50 pixels. */
const offsets = Float64Array.from({ length: 1_001 }, (_, index) => index * 50)

const spaceOf = (parts: ReturnType<typeof planOf>['parts']) =>
  parts.reduce((sum, part) => sum + ('space' in part ? part.space : 50), 0)

describe('the plan of a window', () => {
  it('finds the row at a height', () => {
    expect([-10, 0, 49, 50, 49_999, 60_000].map((y) => rowAt(offsets, y))).toEqual([0, 0, 0, 1, 999, 999])
  })

  it('S3-59: draws what is on the screen and near it, however long the thread is', () => {
    const { first, last } = rangeAt(offsets, 25_000, 900)
    expect([first, last]).toEqual([480, 538])
    expect(rangeAt(offsets, 0, 900)).toEqual({ first: 0, last: 38 })
    expect(rangeAt(offsets, 49_100, 900)).toEqual({ first: 962, last: 999 })
  })

  it('keeps the height of the thread, and draws the row that holds the focus wherever it is', () => {
    for (const focused of [undefined, 3, 490, 998]) {
      const { parts } = planOf(offsets, 480, 538, focused)
      expect(spaceOf(parts)).toBe(50_000)
      expect(parts.some((part) => 'row' in part && part.row === (focused ?? 480))).toBe(true)
    }
  })

  it('draws again only when less is left around the screen than a wheel turns', () => {
    const plan = planOf(offsets, 480, 538, undefined)
    expect(isCovered(plan, offsets, 25_000, 900)).toBe(true)
    expect(isCovered(plan, offsets, 24_400, 900)).toBe(true)
    expect(isCovered(plan, offsets, 24_300, 900)).toBe(false)
    expect(isCovered(plan, offsets, 25_800, 900)).toBe(false)
  })
})

const messages = [
  eventOf([text(1, 'Why?')], { id: 'q1', role: 'user', seqs: [1, 1] }),
  eventOf([text(2, 'Because.'), tool(3, 'Bash', { state: 'failed' }), text(5, 'So.')], { id: 'a1' }),
  eventOf([text(7, 'And now?')], { id: 'q2', role: 'user', seqs: [7, 7] }),
  eventOf([text(8, 'Now.')], { id: 'a2' }),
]

describe('the rows of a thread', () => {
  const turnsOf = createTurns()
  const rowsOf = createRows()
  const rows = rowsOf(turnsOf(messages))

  it('are its pieces, and the same array for the same turns', () => {
    expect(rows.map(({ piece }) => piece?.kind)).toEqual([
      ...['message', 'segment', 'segment', 'segment'],
      ...['message', 'segment'],
    ])
    expect(rowsOf(turnsOf(messages))).toBe(rows)
  })

  it('are found by an entry; one that draws nothing belongs to the row before it', () => {
    expect([1, 3, 4, 8, 99].map((seq) => rowOfEntry(rows, 'run', seq))).toEqual([0, 2, 2, 5, 5])
    expect(rowOfEntry(rows, 'other', 3)).toBe(-1)
  })

  it('have the height that was measured, else an estimate', () => {
    const heights = createRowHeights()
    const [estimated = 0] = heights.offsets(rows).slice(1)
    expect(estimated).toBeGreaterThan(40)
    heights.measured(rows[0]?.id ?? '', 120)
    expect(heights.offsets(rows)[1]).toBe(120)
  })

  it('are drawn in the articles of their turns, with spaces between them or inside of one', () => {
    const whole = articlesOf(rows, wholePlan(rows.length).parts)
    expect(whole.map((article) => ('turn' in article ? article.parts.length : 'space'))).toEqual([4, 2])
    const drawn = articlesOf(rows, [{ row: 1 }, { space: 100 }, { row: 3 }, { space: 200 }, { row: 5 }, { space: 20 }])
    expect(drawn.map((article) => ('turn' in article ? article.parts.length : article.space))).toEqual([3, 186, 1, 6])
    const [turn] = drawn
    expect(turn !== undefined && 'turn' in turn && turn.parts[1]).toEqual({ space: 94 })
  })
})
