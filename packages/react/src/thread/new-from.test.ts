import type { ChatEvent } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { firstNew } from './new-from.ts'

const event = (runId: string, role: ChatEvent['role'], ...starts: readonly number[]): ChatEvent => ({
  id: `${runId}/${role}${starts[0]}`,
  runId,
  role,
  state: 'done',
  startedAt: 0,
  seqs: [starts[0] ?? 0, (starts.at(-1) ?? 0) + 1],
  segments: starts.map((seq) => ({
    type: 'text',
    id: `b${seq}`,
    text: 'x',
    state: 'done',
    startedAt: 0,
    seqs: [seq, seq + 1],
  })),
})

const thread = [event('a', 'user', 2), event('a', 'assistant', 5, 9), event('b', 'user', 2), event('b', 'assistant', 6)]

describe('the first entry that is new to a reader', () => {
  it('begins the first segment after the last seen one, in the same run', () => {
    expect(firstNew(thread, { runId: 'a', seq: 5 })).toEqual({ runId: 'a', seq: 9 })
    expect(firstNew(thread, { runId: 'a', seq: 1 })).toEqual({ runId: 'a', seq: 2 })
  })

  it('is the question of a later run, though its entries are counted anew', () => {
    expect(firstNew(thread, { runId: 'a', seq: 40 })).toEqual({ runId: 'b', seq: 2 })
  })

  it('is none if nothing has come, nothing was seen, or the seen run is not shown', () => {
    expect(firstNew(thread, { runId: 'b', seq: 7 })).toBeUndefined()
    expect(firstNew(thread, undefined)).toBeUndefined()
    expect(firstNew(thread, { runId: 'gone', seq: 1 })).toBeUndefined()
  })
})
