import { getSource } from '@millrace/core/source'
import { describe, expect, it } from 'vitest'
import { detectAmong, readFirstRecords } from './first-records.ts'
import type { Input } from './input.ts'

/** An input that returns `pieceSize` bytes per read and counts the reads. */
function inputOf(text: string, pieceSize: number): Input & { reads(): number } {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  let reads = 0
  return {
    size: bytes.length,
    identity: undefined,
    async read() {
      reads++
      const piece = bytes.subarray(at, at + pieceSize)
      at += pieceSize
      return piece.length === 0 ? undefined : piece
    },
    close: async () => {},
    reads: () => reads,
  }
}

const line = '{"type":"text","data":{"content":"wave"}}\n'

describe('readFirstRecords', () => {
  it('stops as soon as there are enough records', async () => {
    const input = inputOf(line.repeat(1000), line.length)
    const first = await readFirstRecords(input, getSource('json-lines')())
    expect({ isAll: first.isAll, count: first.records.length, reads: input.reads() }).toEqual({
      isAll: false,
      count: 24,
      reads: 24,
    })
  })

  it('stops after a few records if they are large', async () => {
    const large = `{"type":"text","data":{"content":"${'wave '.repeat(120_000)}"}}\n`
    const first = await readFirstRecords(inputOf(large.repeat(4), large.length), getSource('json-lines')())
    expect(first.records).toHaveLength(2)
    expect(detectAmong(first).format).toBe('agent-lines')
  })

  it('reads a short input to its end, with its unfinished last line', async () => {
    const first = await readFirstRecords(inputOf(line + line.trim(), 7), getSource('auto')())
    expect({ isAll: first.isAll, count: first.records.length }).toEqual({ isAll: true, count: 2 })
  })

  it('detects the same format however the bytes are chunked', async () => {
    const text = line.repeat(20) + '{"tide":"high"}\n'.repeat(30)
    const detections = await Promise.all(
      [1, 100, 100_000].map(async (size) =>
        detectAmong(await readFirstRecords(inputOf(text, size), getSource('auto')())),
      ),
    )
    expect(new Set(detections.map((detection) => JSON.stringify(detection))).size).toBe(1)
  })
})
