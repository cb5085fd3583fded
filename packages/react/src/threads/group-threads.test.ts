import { describe, expect, it } from 'vitest'
import { englishLabels } from '../labels.ts'
import { groupThreads } from './group-threads.ts'
import { type ThreadStatus, threadStatusOf } from './thread-status.ts'

const now = new Date(2026, 5, 17, 12).getTime()
const thread = (id: string, state: ThreadStatus, hoursAgo: number) => ({
  id,
  state,
  updatedAt: now - hoursAgo * 3_600_000,
})
const shown = (threads: Parameters<typeof groupThreads>[0]) =>
  groupThreads(threads as ReturnType<typeof thread>[], now, englishLabels).map(({ title, threads: members }) => [
    title,
    members.map(({ id }) => id).join(' '),
  ])

describe('groupThreads', () => {
  it('puts threads that ask first, then live ones, whatever their age, then the days', () => {
    const threads = [
      thread('old', 'done', 14),
      thread('new', 'failed', 1),
      thread('alive', 'live', 30),
      thread('asks', 'needs-you', 50),
      thread('cut', 'waiting', 2),
    ]
    expect(shown(threads)).toEqual([
      ['Needs you', 'asks'],
      ['Live', 'cut alive'],
      ['Today', 'new'],
      ['Yesterday', 'old'],
    ])
  })

  it('shows no group without a thread', () => {
    expect(shown([])).toEqual([])
    expect(shown([thread('a', 'done', 1)])).toEqual([['Today', 'a']])
  })
})

describe('threadStatusOf', () => {
  it('needs the user only if an answer changes something', () => {
    expect(threadStatusOf({ state: 'live' }, true)).toBe('needs-you')
    const end = { state: 'ended', agent: 'pilot' } as const
    expect(threadStatusOf({ ...end, outcome: 'awaiting-input' }, true)).toBe('handed-over')
    expect(threadStatusOf({ ...end, outcome: 'awaiting-input' }, false)).toBe('handed-over')
    expect(threadStatusOf({ ...end, outcome: 'cancelled' }, true)).toBe('stopped')
  })

  it('says of a recording neither that its client answers nor that the user has stopped it', () => {
    expect(threadStatusOf({ state: 'ended', outcome: 'awaiting-input' }, true)).toBe('left-open')
    expect(threadStatusOf({ state: 'ended', outcome: 'cancelled' }, false)).toBe('cancelled')
    expect(threadStatusOf({ state: 'ended', outcome: 'interrupted' }, false)).toBe('interrupted')
  })

  it('distinguishes a run that failed from one that was interrupted', () => {
    expect(threadStatusOf({ state: 'ended', outcome: 'error' }, false)).toBe('failed')
    expect(threadStatusOf({ state: 'ended', outcome: 'interrupted' }, false)).toBe('interrupted')
    expect(threadStatusOf(undefined, false)).toBe('empty')
  })
})
