import type { ThreadStatus } from '@millrace/react'
import { describe, expect, it } from 'vitest'
import { createAttention } from './changes.ts'

/** What is news of a thread that goes through these states. */
function newsOf(...states: readonly ThreadStatus[]): readonly ThreadStatus[] {
  const attention = createAttention()
  return states.flatMap((state) => attention([{ id: 't1', title: 'The mill', state }]).map((news) => news.state))
}

describe('the news of a thread', () => {
  it('is its question and its end, each once', () => {
    expect(newsOf('live', 'live', 'needs-you', 'needs-you', 'live', 'done', 'done')).toEqual(['needs-you', 'done'])
    expect(newsOf('waiting', 'failed')).toEqual(['failed'])
    expect(newsOf('needs-you', 'interrupted')).toEqual(['interrupted'])
  })

  it('is not what was so when the page was opened, nor what a person has stopped', () => {
    expect(newsOf('done')).toEqual([])
    expect(newsOf('needs-you')).toEqual([])
    expect(newsOf('live', 'stopped')).toEqual([])
    expect(newsOf('done', 'failed')).toEqual([])
  })

  it('is that of each thread alone', () => {
    const attention = createAttention()
    attention([{ id: 't1', title: 'One', state: 'live' }])
    expect(attention([{ id: 't2', title: 'Two', state: 'done' }])).toEqual([])
    expect(attention([{ id: 't1', title: 'One', state: 'done' }])).toEqual([
      { threadId: 't1', title: 'One', state: 'done' },
    ])
  })
})
