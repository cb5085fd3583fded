import { describe, expect, it } from 'vitest'
import type { Entry } from '../../entry.ts'
import type { StreamEvent } from '../../events.ts'
import { spansOfEntries } from './spans.ts'

/** Entries at these moments. */
const logged = (...all: readonly (readonly [at: number, event: StreamEvent])[]): Entry[] =>
  all.map(([at, event], index) => ({ seq: index + 1, at, event, rawThrough: 0 }))

const block = (blockId: string): StreamEvent => ({ type: 'block-start', blockId, kind: 'text' })
const text = (blockId: string, written: string): StreamEvent => ({ type: 'block-delta', blockId, text: written })

describe('the span of a model call', () => {
  it('says when it has written, in parts of a fifth of a second, and since it was asked if all came at once', () => {
    const [streamed, whole] = spansOfEntries(
      logged(
        [0, { type: 'run-start' }],
        [100, block('t')],
        [150, text('t', 'One')],
        [250, text('t', ' two')],
        [900, text('t', ' three')],
        [900, { type: 'block-end', blockId: 't' }],
        [900, { type: 'step-end' }],
        [1500, block('u')],
        [1500, text('u', 'At once')],
        [1500, { type: 'run-end', outcome: 'success' }],
      ),
    ).spans
    expect(streamed?.writes).toEqual([
      { from: 100, to: 250, length: 7 },
      { from: 250, to: 900, length: 6 },
    ])
    expect(whole?.writes).toEqual([{ from: 900, to: 1500, length: 7 }])
  })
})
