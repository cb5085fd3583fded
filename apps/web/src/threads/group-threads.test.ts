import { describe, expect, it } from 'vitest'
import { groupThreads } from './group-threads.ts'
import { type ThreadState, threadStateOf } from './thread-state.ts'

const now = new Date(2026, 5, 17, 12).getTime()
const thread = (id: string, state: ThreadState, hoursAgo: number) => ({
  id,
  state,
  updatedAt: now - hoursAgo * 3_600_000,
})
const shown = (threads: Parameters<typeof groupThreads>[0]) =>
  groupThreads(threads as ReturnType<typeof thread>[], now).map(({ title, threads: members }) => [
    title,
    members.map(({ id }) => id).join(' '),
  ])

describe('groupThreads', () => {
  it('puts what asks first, then what lives, then the days, whatever their age', () => {
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

describe('threadStateOf', () => {
  it('asks for a person only where an answer changes something', () => {
    expect(threadStateOf({ state: 'live' }, true)).toBe('needs-you')
    expect(threadStateOf({ state: 'ended', outcome: 'awaiting-input' }, true)).toBe('handed-over')
    expect(threadStateOf({ state: 'ended', outcome: 'awaiting-input' }, false)).toBe('handed-over')
    expect(threadStateOf({ state: 'ended', outcome: 'cancelled' }, true)).toBe('stopped')
  })

  it('tells a run that fails from one that is cut', () => {
    expect(threadStateOf({ state: 'ended', outcome: 'error' }, false)).toBe('failed')
    expect(threadStateOf({ state: 'ended', outcome: 'interrupted' }, false)).toBe('interrupted')
    expect(threadStateOf(undefined, false)).toBe('empty')
  })
})
