import { isDeepStrictEqual } from 'node:util'
import { illFormed } from '@millrace/testkit/any-event'
import { problemsOf } from '@millrace/testkit/balance'
import { lostBytes, normalized, taggedStreams } from '@millrace/testkit/conserve'
import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('normalize', () => {
  it('S4-26: keeps text + thinking + tags = input, for interleaved blocks', () => {
    holds(
      fc.property(taggedStreams, (events) => lostBytes(events) === undefined),
      1_500,
    )
  })

  it('finds thinking in those texts, so that the promise is not vacuous', () => {
    const streams = fc.sample(taggedStreams, { seed: 30, numRuns: 200 })
    const thoughts = streams.flatMap(normalized).filter((event) => 'variant' in event && event.variant === 'think-tag')
    expect(thoughts.length).toBeGreaterThan(50)
  })

  it('leaves tags in code alone', () => {
    const text = 'See:\n```\n<think>not a thought</think>\n```\nand `<think>` too.'
    const events = normalized([
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-delta', blockId: 'b', text },
      { type: 'block-end', blockId: 'b' },
    ])
    const kinds = events.flatMap((event) => (event.type === 'block-start' ? [event.kind] : []))
    expect(kinds).toEqual(['text'])
  })

  it('makes any sequence of events well-formed, by all its passes', () => {
    holds(
      fc.property(illFormed, (events) => {
        const [problem] = problemsOf(normalized(events))
        if (problem !== undefined) throw new Error(problem)
      }),
      1_000,
    )
  })

  it('is deterministic', () => {
    holds(
      fc.property(illFormed, (events) => isDeepStrictEqual(normalized(events), normalized(events))),
      200,
    )
  })
})
