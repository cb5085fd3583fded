import type { LastRun, ListedThread } from '@millrace/core/client'
import { describe, expect, it } from 'vitest'
import { durationOf, factOf, linesBetween, linesOf, offsetsOf } from './run-rows.ts'

const noon = new Date(2026, 5, 17, 12).getTime()
const HOUR = 3_600_000

const ended: LastRun = { id: 'r', state: 'ended', outcome: 'success', seq: 9, createdAt: noon - HOUR, asks: false }
const thread = (id: string, hoursAgo: number, change: Partial<LastRun> = {}): ListedThread => ({
  id,
  title: id,
  updatedAt: noon - hoursAgo * HOUR,
  lastRun: { ...ended, ...change },
})
const textOf = (threads: readonly ListedThread[]) =>
  linesOf(threads, noon).map((line) => (line.type === 'group' ? line.title : line.thread.id))

describe('the lines of the table', () => {
  it('have what runs or asks first, then the days, each in the order of the list', () => {
    const threads = [
      thread('a', 1),
      thread('b', 2, { state: 'waiting' }),
      thread('c', 30),
      thread('d', 31, { state: 'live' }),
    ]
    expect(textOf(threads)).toEqual(['Now', 'b', 'd', 'Today', 'a', 'Yesterday', 'c'])
    expect(textOf([])).toEqual([])
  })

  it('are found by their heights, with no line that is only touched', () => {
    const offsets = offsetsOf(linesOf([thread('a', 1), thread('b', 2), thread('c', 30)], noon), { group: 30, run: 44 })
    expect(offsets).toEqual([0, 30, 74, 118, 148, 192])
    expect(linesBetween(offsets, 0, 30)).toEqual([0, 1])
    expect(linesBetween(offsets, 30, 74)).toEqual([1, 2])
    expect(linesBetween(offsets, 73, 75)).toEqual([1, 3])
    expect(linesBetween(offsets, -500, 5_000)).toEqual([0, 5])
    expect(linesBetween([0], -10, 10)).toEqual([0, 0])
  })

  it('say the file of what is done, the error of what has failed, and the state of everything else', () => {
    const digest = { steps: 1, tools: 0, errors: 1 }
    expect(factOf(thread('a', 1, { format: 'codex-exec', digest: { ...digest, file: 'a.jsonl' } }), [])).toBe(
      'Codex · a.jsonl',
    )
    expect(
      factOf(thread('a', 1, { outcome: 'error', format: 'codex-exec', digest: { ...digest, error: '429' } }), []),
    ).toBe('Codex · 429')
    expect(
      factOf(thread('a', 1, { outcome: 'interrupted', agent: 'x', format: 'codex-exec' }), [{ name: 'x', title: 'X' }]),
    ).toBe('X · interrupted at #9')
    expect(factOf({ id: 'e', title: '' }, [])).toBe('No run yet')
  })

  it('count the time of a live run only if its clock is ours', () => {
    expect(durationOf(thread('a', 0, { state: 'live', agent: 'x' }), noon)).toBe(HOUR)
    expect(durationOf(thread('a', 0, { state: 'live' }), noon)).toBeUndefined()
    expect(durationOf(thread('a', 0, { agent: 'x', endedAt: noon }), noon + 5)).toBe(HOUR)
    expect(durationOf({ id: 'e', title: '' }, noon)).toBeUndefined()
  })
})
