import type { Entry } from '@millrace/core/entry'
import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchesOf, type CursoredChunk } from '../src/deliver/chunk-batch.ts'
import { createWebSink } from '../src/deliver/web-sink.ts'

/** For each entry the sizes of its chunks, in characters. */
function chunksOf(entries: readonly (readonly number[])[]): CursoredChunk[] {
  return entries.flatMap((sizes, at) => {
    const entry: Entry = { seq: at + 1, at: 0, event: { type: 'run-start' }, rawThrough: 0 }
    return sizes.map((size, index) => ({
      chunk: { type: 'x', text: 'x'.repeat(size) },
      entry,
      index,
      cursor: `${at + 1}.${index}`,
    }))
  })
}

const size = fc.constantFrom(0, 10, 20_000, 32_700, 40_000)
const sizes = fc.array(fc.array(size, { maxLength: 4 }), { maxLength: 8 })

describe('the batches of a run', () => {
  it('hold every chunk once, in order, those of one entry together, without a gap between batches', () => {
    holds(
      fc.property(sizes, (entries) => {
        const chunks = chunksOf(entries)
        const batches = batchesOf(0, entries.length, chunks)
        expect(batches.flatMap((batch) => batch.chunks)).toEqual(chunks)
        const ends = batches.map(({ through }) => through)
        expect(batches.map(({ after }) => after)).toEqual([0, ...ends].slice(0, batches.length))
        expect(ends.at(-1) ?? 0).toBe(entries.length)
        for (const { after, through, chunks: held } of batches)
          expect(held.every(({ entry }) => entry.seq > after && entry.seq <= through)).toBe(true)
      }),
      200,
    )
  })
})

describe('the sink of a web request', () => {
  it('is closed from the start if its client has left before', () => {
    expect(createWebSink(AbortSignal.abort()).closed.aborted).toBe(true)
    expect(createWebSink(new AbortController().signal).closed.aborted).toBe(false)
  })
})
