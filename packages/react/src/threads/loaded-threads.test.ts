import type { ListedThread } from '@millrace/core/client'
import { describe, expect, it } from 'vitest'
import {
  type LoadedThreads,
  NO_THREADS,
  withFirstPage,
  withNextPage,
  withoutThread,
  withThread,
} from './loaded-threads.ts'

/** `a9` is the thread `a`, updated at 9. */
const threads = (words: string): readonly ListedThread[] =>
  words.split(' ').map((word) => ({ id: word.charAt(0), title: '', updatedAt: Number(word.slice(1)) }))

const page = (words: string, next?: string) => ({ threads: threads(words), ...(next !== undefined && { next }) })
const shown = ({ threads: all, next }: LoadedThreads) =>
  `${all.map(({ id, updatedAt }) => `${id}${updatedAt}`).join(' ')} ${next ?? 'end'}`

describe('pages of the list', () => {
  const two = withNextPage(withFirstPage(NO_THREADS, page('a9 b8', 'b')), page('c7 d6', 'd'))

  it('are joined', () => {
    expect(shown(two)).toBe('a9 b8 c7 d6 d')
    expect(shown(withNextPage(two, page('e5')))).toBe('a9 b8 c7 d6 e5 end')
  })

  it('keep a thread that a newer one has pushed off the first page, and have one that has moved up only once', () => {
    expect(shown(withFirstPage(two, page('x10 a9', 'a')))).toBe('x10 a9 b8 c7 d6 d')
    expect(shown(withFirstPage(two, page('d11 a9', 'a')))).toBe('d11 a9 b8 c7 d')
  })

  it('lose a thread that no longer exists', () => {
    expect(shown(withFirstPage(two, page('a9 c7', 'c')))).toBe('a9 c7 d6 d')
    expect(shown(withFirstPage(two, page('a9 b8')))).toBe('a9 b8 end')
  })

  it('start again if there would be a gap between them', () => {
    expect(shown(withFirstPage(two, page('x20 y19', 'y')))).toBe('x20 y19 y')
  })

  it('keep the order of the server if two were updated at the same time', () => {
    const even = withNextPage(withFirstPage(NO_THREADS, page('d5 c5', 'c')), page('b5 a5'))
    expect(shown(withFirstPage(even, page('e5 d5', 'd')))).toBe('e5 d5 c5 b5 a5 end')
  })

  it('take a thread that is new or has changed at its position, unless that is behind them', () => {
    const changed = (word: string, loaded = two) => shown(withThread(loaded, threads(word)[0] as ListedThread))
    expect(changed('x8')).toBe('a9 x8 b8 c7 d6 d')
    expect(changed('d10')).toBe('d10 a9 b8 c7 d')
    expect(changed('x5')).toBe('a9 b8 c7 d6 d')
    expect(changed('x5', withNextPage(two, page('e6')))).toBe('a9 b8 c7 d6 e6 x5 end')
    expect(shown(withoutThread(two, 'b'))).toBe('a9 c7 d6 d')
  })
})
