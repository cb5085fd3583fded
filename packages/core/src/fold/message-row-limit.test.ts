import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import { createMessageRow, type MessageRow } from './message-row.ts'

/** The cost of a passage besides its text. */
const PIECE = 64

function rowOf(maxCharacters: number, ...events: readonly StreamEvent[]): MessageRow {
  const builder = createMessageRow({ maxCharacters })
  for (const [index, event] of events.entries()) builder.push({ seq: index + 1, at: 0, event, rawThrough: 0 })
  return builder.row()
}

const start = (blockId: string): StreamEvent => ({ type: 'block-start', blockId, kind: 'text' })
const delta = (blockId: string, text: string): StreamEvent => ({ type: 'block-delta', blockId, text })
const status = (message: string): StreamEvent => ({ type: 'status', message, level: 'info' })

describe('a row with a limit', () => {
  it('holds the beginning of the answer, and is marked as truncated', () => {
    expect(rowOf(PIECE + 5, start('a'), delta('a', 'abc'), delta('a', 'def'), delta('a', 'ghi'))).toEqual({
      content: 'abcde',
      metadata: { truncated: true },
    })
  })

  it('is not marked as truncated if all of it fits', () => {
    expect(rowOf(PIECE + 6, start('a'), delta('a', 'abc'), delta('a', 'def'))).toEqual({
      content: 'abcdef',
      metadata: {},
    })
  })

  it('reuses the room of a text that is replaced', () => {
    const patch: StreamEvent = { type: 'block-patch', blockId: 'a', text: 'wxyz' }
    expect(rowOf(PIECE + 4, start('a'), delta('a', 'abcd'), patch)).toEqual({ content: 'wxyz', metadata: {} })
  })

  it('takes no more passages than fit, however small they are', () => {
    const many = Array.from({ length: 100 }, (_, index) => status(`${index % 10}`))
    const { metadata } = rowOf(3 * (PIECE + 1), ...many, start('late'), delta('late', 'text'))
    expect(metadata).toEqual({ processing: ['0', '1', '2'], truncated: true })
  })
})
