import { describe, expect, it } from 'vitest'
import { runPass } from '../../../test/normalize.ts'
import { block, inputOf, linesOf } from '../../../test/think-tags.ts'
import type { StreamEvent } from '../../events.ts'
import { createThinkTags, thinkTags } from '../think-tags.ts'

const start: StreamEvent = { type: 'block-start', blockId: 'b', kind: 'text' }
const end: StreamEvent = { type: 'block-end', blockId: 'b' }

/** The result of a patch with this text after these chunks. */
function patched(chunks: readonly string[], text: string, more: object = {}): StreamEvent[] {
  const before = block(chunks).slice(0, -1)
  const sent = emitted(before)
  return emitted([...before, { type: 'block-patch', blockId: 'b', text, ...more }]).slice(sent.length)
}

function emitted(events: readonly StreamEvent[]): StreamEvent[] {
  const out: StreamEvent[] = []
  const pass = createThinkTags()((event) => {
    out.push(event)
  })
  for (const event of events) pass.push(event)
  return out
}

describe('a text that replaces what was streamed', () => {
  it('passes unchanged if nothing is cut', () => {
    const patch = { type: 'block-patch', blockId: 'b', text: 'new', citations: [1], sentAt: 3 } as const
    expect(runPass(thinkTags, [...block(['old']).slice(0, -1), patch, end])[2]).toBe(patch)
    expect(runPass(thinkTags, [start, patch, end])).toEqual([start, patch, end])
  })

  it('is assigned to the parts of its kind, in order, with the changed tags', () => {
    expect(patched(['<think>a</think>b'], '<THINK>c</think>d')).toEqual([
      { type: 'block-patch', blockId: 'b', text: 'c', meta: { millrace: { open: '<THINK>' } } },
      { type: 'block-patch', blockId: 'b.1', text: 'd' },
    ])
  })

  it('empties the remaining parts, with their tags', () => {
    expect(patched(['<think>a</think>b'], 'c')).toEqual([
      { type: 'block-patch', blockId: 'b', text: '', meta: { millrace: { open: '', close: '' } } },
      { type: 'block-patch', blockId: 'b.1', text: 'c' },
    ])
    expect(patched(['a<think>b'], 'c')).toEqual([
      { type: 'block-patch', blockId: 'b', text: 'c' },
      { type: 'block-patch', blockId: 'b.1', text: '', meta: { millrace: { open: '' } } },
      { type: 'block-end', blockId: 'b.1' },
    ])
  })

  it('begins the parts that are missing, in the right order', () => {
    expect(patched(['a'], '<think>b</think>c')).toEqual([
      { type: 'block-patch', blockId: 'b', text: '' },
      { type: 'block-end', blockId: 'b' },
      thoughtStart('b.1'),
      { type: 'block-delta', blockId: 'b.1', text: 'b' },
      { type: 'block-end', blockId: 'b.1', meta: { millrace: { close: '</think>' } } },
      { type: 'block-start', blockId: 'b.2', kind: 'text' },
      { type: 'block-delta', blockId: 'b.2', text: 'c' },
    ])
  })

  it('is cut even if nothing was streamed, and holds the beginning of a tag back', () => {
    expect(patched([], '<think>a</think>b<thi')).toEqual([
      thoughtStart('b'),
      { type: 'block-delta', blockId: 'b', text: 'a' },
      { type: 'block-end', blockId: 'b', meta: { millrace: { close: '</think>' } } },
      { type: 'block-start', blockId: 'b.1', kind: 'text' },
      { type: 'block-delta', blockId: 'b.1', text: 'b' },
    ])
  })

  it('is continued by a thought that joins its last one, whose closing tag was not sent yet', () => {
    const patch: StreamEvent = { type: 'block-patch', blockId: 'b', text: '<think>a</think><think>' }
    const more: StreamEvent = { type: 'block-delta', blockId: 'b', text: 'b' }
    const events = runPass(thinkTags, [...block(['<think>x']).slice(0, -1), patch, more, end])
    expect(inputOf(events)).toBe('<think>a</think><think>b')
    expect(linesOf(events)).toEqual(['think: ab (interrupted)'])
  })

  it('is continued by the text that follows', () => {
    const patch: StreamEvent = { type: 'block-patch', blockId: 'b', text: 'a<think>b' }
    const more: StreamEvent = { type: 'block-delta', blockId: 'b', text: 'c</think>d' }
    expect(linesOf(runPass(thinkTags, [...block(['x<think>y']).slice(0, -1), patch, more, end]))).toEqual([
      'text: a',
      'think: bc',
      'text: d',
    ])
    const code: StreamEvent = { type: 'block-patch', blockId: 'b', text: '`a' }
    expect(linesOf(runPass(thinkTags, [...block(['x']).slice(0, -1), code, more, end]))).toEqual(['text: `ac</think>d'])
  })

  it('begins a new part for text that follows an ended part', () => {
    const patch: StreamEvent = { type: 'block-patch', blockId: 'b', text: '<think>c' }
    const more: StreamEvent = { type: 'block-delta', blockId: 'b', text: 'd' }
    const events = runPass(thinkTags, [...block(['<think>a</think>b']).slice(0, -1), patch, more, end])
    expect(linesOf(events)).toEqual(['think: c', 'text: ', 'think: d (interrupted)'])
  })

  it('passes the other fields of the patch to the last part', () => {
    expect(patched(['<think>a</think>b'], '<think>a</think>c', { citations: [1], agentId: 'g' })).toEqual([
      { type: 'block-patch', blockId: 'b', text: 'a', agentId: 'g' },
      { type: 'block-patch', blockId: 'b.1', text: 'c', agentId: 'g' },
      { type: 'block-patch', blockId: 'b.1', citations: [1], agentId: 'g' },
    ])
  })
})

function thoughtStart(blockId: string): StreamEvent {
  const meta = { millrace: { open: '<think>' } }
  return { type: 'block-start', blockId, kind: 'reasoning', variant: 'think-tag', meta }
}
