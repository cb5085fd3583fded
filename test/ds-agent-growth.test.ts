import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../packages/core/src/events.ts'
import { dsAgentMessages } from '../proofs/wires/readers/ds-agent.ts'

/** The bytes of all messages of a thought in so many deltas of six bytes. */
function bytesOf(deltas: number, options: { profile?: string }): { readonly sent: number; readonly words: number } {
  const delta: StreamEvent = { type: 'block-delta', blockId: 'b', text: 'think ' }
  const messages = dsAgentMessages(
    [
      { type: 'run-start' },
      { type: 'step-start', kind: 'action', number: 1 },
      { type: 'block-start', blockId: 'b', kind: 'reasoning' },
      ...Array.from({ length: deltas }, () => delta),
      { type: 'block-end', blockId: 'b' },
    ],
    options,
  )
  const sizes = messages.map((message) => Buffer.byteLength(JSON.stringify(message)))
  return {
    sent: sizes.reduce((sum, size) => sum + size, 0),
    words: messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
  }
}

describe.each([
  ['pieces', {}, 2_100_000, 48_100],
  ['all of the text so far', { profile: 'cumulative' }, 200_000, 170_000],
])('a thought of 4,000 deltas of six bytes, as %s', (_as, options, mostSent, mostWords) => {
  const half = bytesOf(2000, options)
  const whole = bytesOf(4000, options)

  // A system that sends all of the text with every delta needs 48,012,000 bytes for these 24,000.
  it(`X30: takes ${whole.sent} bytes, ${whole.words} of them text`, () => {
    expect(whole.sent).toBeLessThan(mostSent)
    expect(whole.words).toBeLessThan(mostWords)
  })

  it('X30: takes twice the bytes of half as many, not more', () => {
    expect(whole.sent / half.sent).toBeLessThan(2.2)
    expect(whole.words / half.words).toBeLessThan(2.2)
  })
})
