import { describe, expect, it } from 'vitest'
import { runPass } from '../../test/normalize.ts'
import { block, linesOf } from '../../test/think-tags.ts'
import type { StreamEvent } from '../events.ts'
import { createThinkTags, thinkTags } from './think-tags.ts'

const tagged = block(['<think>a</think>b'])
const untouched = ['text: <think>a</think>b']
const cut = ['think: a', 'text: b']
const isCut = (...events: StreamEvent[]) => linesOf(runPass(thinkTags, events))

describe('whose text is cut', () => {
  it.each(['system', 'user', 'tool'] as const)('think-sys: not that of a message of role %s', (role) => {
    const start: StreamEvent = { type: 'message-start', messageId: 'm', role }
    const named = tagged.map((event) => ({ ...event, messageId: 'm' }))
    const other: StreamEvent = { type: 'message-start', messageId: 'n', role: 'assistant' }
    expect(isCut(start, ...tagged)).toEqual(untouched)
    expect(isCut(start, ...named)).toEqual(untouched)
    expect(isCut(start, other, ...named)).toEqual(untouched)
    expect(isCut(start, other, ...tagged)).toEqual(cut)
    expect(isCut(start, ...tagged.slice(1))).toEqual(untouched)
  })

  it('that of an assistant, and of a message without a role', () => {
    const user: StreamEvent = { type: 'message-start', messageId: 'm', role: 'user' }
    expect(isCut({ type: 'message-start', messageId: 'm', role: 'assistant' }, ...tagged)).toEqual(cut)
    expect(isCut(user, { type: 'message-end', messageId: 'm' }, ...tagged)).toEqual(cut)
    expect(isCut(user, ...tagged.map((event) => ({ ...event, agentId: 'g' })))).toEqual(cut)
    expect(isCut({ ...user, agentId: 'g' }, ...tagged)).toEqual(cut)
    expect(isCut({ ...user, agentId: 'g' }, ...tagged.map((event) => ({ ...event, agentId: 'g' })))).toEqual(untouched)
    expect(isCut(...tagged)).toEqual(cut)
  })

  it('not that of another agent’s message with the same id', () => {
    const ofAgent: StreamEvent = { type: 'message-start', messageId: 'm', role: 'user', agentId: 'g' }
    const ours: StreamEvent = { type: 'message-start', messageId: 'm', role: 'assistant' }
    const named = tagged.map((event) => ({ ...event, messageId: 'm' }))
    expect(isCut(ours, ofAgent, ...named)).toEqual(cut)
    expect(isCut(ofAgent, ours, ...named.map((event) => ({ ...event, agentId: 'g' })))).toEqual(untouched)
    const [start, first, ...rest] = block(['<think>a', 'b</think>c']) as [StreamEvent, StreamEvent, ...StreamEvent[]]
    const endOfOther: StreamEvent = { type: 'message-end', messageId: 'm', agentId: 'g' }
    expect(isCut(ours, start, first, endOfOther, ...rest)).toEqual(['think: ab', 'text: c'])
  })

  it('not reasoning', () => {
    const events = [{ type: 'block-start', blockId: 'b', kind: 'reasoning' } as const, ...tagged.slice(1)]
    expect(runPass(thinkTags, events)).toEqual(events)
  })
})

describe('the parts of a block', () => {
  it('are the same objects while nothing is cut', () => {
    const events = block(['plain ', 'text, a < b\n', '`code`\n```\n', '~'])
    runPass(thinkTags, events).forEach((event, index) => {
      expect(event).toBe(events[index])
    })
  })

  it('leave an empty block unchanged', () => {
    expect(runPass(thinkTags, block([]))).toEqual(block([]))
    expect(runPass(createThinkTags({ startInThinking: true }), block([]))).toEqual(block([]))
  })

  it('carry the scope, variant, times and meta of their block', () => {
    const meta = { p: { k: 1 }, millrace: { own: true } }
    const scope = { messageId: 'm', agentId: 'g' }
    const events = runPass(thinkTags, [
      { type: 'block-start', blockId: 'b', kind: 'text', variant: 'commentary', ...scope, sentAt: 1, meta },
      { type: 'block-delta', blockId: 'b', text: '<think>a', ...scope, sentAt: 2 },
      { type: 'block-delta', blockId: 'b', text: '</think>', ...scope, sentAt: 3 },
      { type: 'block-delta', blockId: 'b', text: 'b', ...scope, sentAt: 4 },
      { type: 'block-end', blockId: 'b', ...scope, sentAt: 5, meta: { p: { z: 2 } } },
    ])
    const thought = {
      kind: 'reasoning',
      variant: 'think-tag',
      meta: { p: { k: 1 }, millrace: { own: true, open: '<think>' } },
    }
    expect(events).toEqual([
      { type: 'block-start', blockId: 'b', ...scope, sentAt: 1, ...thought },
      { type: 'block-delta', blockId: 'b', text: 'a', ...scope, sentAt: 2 },
      { type: 'block-end', blockId: 'b', ...scope, sentAt: 3, meta: { millrace: { close: '</think>' } } },
      { type: 'block-start', blockId: 'b.1', kind: 'text', variant: 'commentary', ...scope, sentAt: 4, meta },
      { type: 'block-delta', blockId: 'b.1', text: 'b', ...scope, sentAt: 4 },
      { type: 'block-end', blockId: 'b.1', ...scope, sentAt: 5, meta: { p: { z: 2 } } },
    ])
  })

  it('keep the meta of a delta that is held back or empty, as a patch', () => {
    const meta = { p: { signature: 's' } }
    const [start, end] = block([]) as [StreamEvent, StreamEvent]
    const held: StreamEvent = { type: 'block-delta', blockId: 'b', text: '<thi', meta }
    const empty: StreamEvent = { type: 'block-delta', blockId: 'b', text: '', meta }
    expect(runPass(thinkTags, [start, held, end])).toContainEqual({ type: 'block-patch', blockId: 'b', meta })
    expect(runPass(thinkTags, [start, empty, end])).toContainEqual({ type: 'block-patch', blockId: 'b', meta })
    const text: StreamEvent = { type: 'block-delta', blockId: 'b', text: 'a', meta }
    expect(runPass(thinkTags, [start, text, empty, end])).toEqual([
      start,
      text,
      { type: 'block-patch', blockId: 'b', meta },
      end,
    ])
  })

  it('pass a patch without text to the last part, or to the first that follows', () => {
    const patch = { type: 'block-patch', blockId: 'b', citations: [1] } as const
    const [start, delta, end] = tagged as [StreamEvent, StreamEvent, StreamEvent]
    expect(runPass(thinkTags, [start, delta, patch, end]).at(-2)).toEqual({ ...patch, blockId: 'b.1' })
    expect(runPass(thinkTags, [start, patch, delta, end])[1]).toBe(patch)
    expect(runPass(thinkTags, [start, patch, end])).toEqual([start, patch, end])
  })

  it('pass every other event on at once', () => {
    const events: StreamEvent[] = [
      { type: 'run-end', outcome: 'success' },
      { type: 'source', sourceId: 's', kind: 'url', blockId: 'b' },
      { type: 'block-patch', blockId: 'x', text: '<think>a' },
      { type: 'block-end', blockId: 'x' },
    ]
    expect(runPass(thinkTags, events)).toEqual(events)
  })
})

describe('a block that is not whole', () => {
  it('needs no start', () => {
    expect(runPass(thinkTags, block(['plain']).slice(1))).toEqual(block(['plain']).slice(1))
    expect(isCut(...tagged.slice(1))).toEqual(cut)
  })

  it('emits what was held back when the stream ends, and stays open', () => {
    expect(runPass(thinkTags, block(['a<thi']).slice(0, -1))).toEqual(block(['a', '<thi']).slice(0, -1))
    expect(runPass(thinkTags, block(['<think>a']).slice(0, -1)).at(-1)).toMatchObject({ type: 'block-delta' })
    expect(runPass(thinkTags, block(['<think>a</think>']).slice(0, -1)).at(-1)).toMatchObject({ type: 'block-end' })
    expect(runPass(thinkTags, block([]).slice(0, -1))).toEqual(block([]).slice(0, -1))
  })

  it('ends before the message or the subagent that contains it', () => {
    const start: StreamEvent = { type: 'message-start', messageId: 'm', role: 'assistant' }
    const end: StreamEvent = { type: 'message-end', messageId: 'm' }
    const last = (...events: StreamEvent[]) => runPass(thinkTags, events).slice(-3)
    const open = block(['<think>a<']).slice(0, -1)
    const expected = [
      { type: 'block-delta', blockId: 'b', text: '<' },
      { type: 'block-end', blockId: 'b', interrupted: true },
    ]
    expect(last(start, ...open, end)).toMatchObject([...expected, end])
    expect(last(...open.map((event) => ({ ...event, messageId: 'm' })), end)).toMatchObject([...expected, end])
    const agentEnd: StreamEvent = { type: 'subagent-end', agentId: 'g', status: 'done' }
    expect(last(...open.map((event) => ({ ...event, agentId: 'g' })), agentEnd)).toMatchObject([...expected, agentEnd])
    const other: StreamEvent = { ...end, messageId: 'other' }
    expect(runPass(thinkTags, [start, ...open, other]).at(-2)).toEqual(other)
  })

  it('is forgotten with its end, its message or its next start', () => {
    const more: StreamEvent = { type: 'block-delta', blockId: 'b', text: 'c</think>' }
    const open = block(['<think>a']).slice(0, -1)
    const start: StreamEvent = { type: 'message-start', messageId: 'm', role: 'assistant' }
    expect(runPass(thinkTags, [...block(['<think>a']), more]).at(-1)).toBe(more)
    expect(runPass(thinkTags, [start, ...open, { type: 'message-end', messageId: 'm' }, more]).at(-1)).toBe(more)
    expect(runPass(thinkTags, [...open, ...block(['c</think>'])]).at(-2)).toEqual(more)
    const reasoning: StreamEvent = { type: 'block-start', blockId: 'b', kind: 'reasoning' }
    expect(isCut(reasoning, { type: 'block-end', blockId: 'b' }, ...tagged.slice(1))).toEqual(cut)
  })
})
