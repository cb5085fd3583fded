import { type Mark, timeAxisOf } from '@millrace/core/travel'
import { describe, expect, it } from 'vitest'
import { densityPath, markPaths, stepTicks } from './track-paths.ts'

const axis = timeAxisOf([0, 1_000])
const mark = (kind: Mark['kind'], at: number): Mark => ({ kind, at, seq: at, text: '' })

describe('what the track draws', () => {
  it('is a column for each part with entries, on the base line', () => {
    expect(densityPath([0, 1, 0.5], 30, 24)).toBe('M10 24V0h9.3V24zM20 24V12h9.3V24z')
    expect(densityPath([], 30, 24)).toBe('')
  })

  it('has another shape for each kind of mark, and one mark where several are', () => {
    const paths = markPaths(
      [mark('tool', 500), mark('tool', 500), mark('tool', 501), mark('message', 0), mark('failure', 1_000)],
      axis,
      100,
    )
    expect(paths.tool).toBe('M49 2h2v6h-2z')
    expect(paths.message).toMatch(/^M-3 5a3/)
    expect(paths.failure).toMatch(/^M100 1l/)
    expect(paths.approval).toBe('')
    expect(new Set([paths.tool, paths.message, paths.failure]).size).toBe(3)
  })

  it('names a step as long as there is room, and draws steps at one place once', () => {
    const steps = [0, 600, 800, 801, 990].map((time, index) => ({ number: index + 1, seq: index, time }))
    expect(stepTicks(steps, axis, 100).map(({ number, x, label }) => [number, x, label])).toEqual([
      [1, 0, 'step 1'],
      [2, 60, '2'],
      [3, 80, ''],
      [5, 99, ''],
    ])
  })
})
