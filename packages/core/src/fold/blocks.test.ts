import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import type { StreamEvent } from '../events.ts'
import { type Block, blockLabel, blocksOf, groupedBlocksOf } from './blocks.ts'
import { createFold, fold } from './fold.ts'
import type { ReasoningSegment, Segment, StatusSegment, TextSegment, TodosSegment, ToolSegment } from './shapes.ts'

type Times = readonly [startedAt: number, endedAt?: number]

function folded([startedAt, endedAt]: Times) {
  return { startedAt, ...(endedAt !== undefined && { endedAt }), seqs: [startedAt, endedAt ?? startedAt] as const }
}

function status(times: Times, ...messages: string[]): StatusSegment {
  const lines = messages.map((message) => ({ message, level: 'info' as const, at: times[0] }))
  return { type: 'status', lines, ...folded(times) }
}

function todos(times: Times): TodosSegment {
  return { type: 'todos', listId: 'plan', items: [{ id: '1', content: 'Sow', status: 'pending' }], ...folded(times) }
}

function reasoning(times: Times, text: string, more: Partial<ReasoningSegment> = {}): ReasoningSegment {
  const state = times[1] === undefined ? 'live' : 'done'
  return { type: 'reasoning', id: `r${times[0]}`, text, state, ...folded(times), ...more }
}

function text(times: Times, content: string): TextSegment {
  const state = times[1] === undefined ? 'live' : 'done'
  return { type: 'text', id: `t${times[0]}`, text: content, state, ...folded(times) }
}

function tool(times: Times, shownAs?: ToolSegment['shownAs']): ToolSegment {
  const shown = shownAs === undefined ? {} : { shownAs }
  return {
    type: 'tool',
    callId: `c${times[0]}`,
    name: 'look',
    runBy: 'agent',
    state: 'done',
    ...shown,
    ...folded(times),
  }
}

function kinds(segments: readonly Segment[]): string[] {
  return blocksOf(segments).map((block) => (block.kind === 'segment' ? block.segment.type : block.kind))
}

function groups(segments: readonly Segment[]) {
  return blocksOf(segments).filter((block) => block.kind !== 'segment')
}

function labels(blocks: readonly Block[]): string[] {
  return blocks.map((block) => (block.kind === 'segment' ? block.segment.type : blockLabel(block)))
}

function entriesOf(...timed: readonly (readonly [at: number, event: StreamEvent])[]): Entry[] {
  return timed.map(([at, event], index) => ({ seq: index + 1, at, event, rawThrough: index }))
}

describe('blocksOf', () => {
  it('S0-61: groups three statuses in a row into one processing block of three lines', () => {
    const say = (message: string): StreamEvent => ({ type: 'status', message, level: 'info' })
    const { chatEvents } = fold(
      entriesOf(
        [1, { type: 'run-start' }],
        [1, { type: 'message-start', messageId: 'm1', role: 'assistant' }],
        [2, say('one')],
        [3, say('two')],
        [4, say('three')],
      ),
    )
    const blocks = blocksOf(chatEvents[0]?.segments ?? [])
    expect(blocks).toMatchObject([
      { kind: 'processing', state: 'live', segments: [{ lines: [{ message: 'one' }, {}, { message: 'three' }] }] },
    ])
  })

  it.each<[string, readonly Segment[], readonly string[]]>([
    ['nothing', [], []],
    ['statuses and todos', [status([1, 2], 'a'), todos([2, 9]), status([3, 4], 'b')], ['processing']],
    [
      'processing that reopens',
      [status([1, 2], 'a'), reasoning([2, 3], 'b'), status([3], 'c')],
      ['processing', 'thinking', 'processing'],
    ],
    [
      'reasoning of two variants',
      [reasoning([1, 2], 'a'), reasoning([2, 3], 'b', { variant: 'think-tool' })],
      ['thinking'],
    ],
    [
      'a tool between thoughts',
      [reasoning([1, 2], 'a'), tool([2, 3]), reasoning([3, 4], 'b')],
      ['thinking', 'tool', 'thinking'],
    ],
    ['a tool that todos stand for', [status([1, 2], 'a'), tool([2, 3], 'todos'), todos([3, 3])], ['processing']],
    ['a list of todos that was cleared', [reasoning([1, 2], 'a'), { ...todos([2, 3]), items: [] }], ['thinking']],
    ['neighbours drawn by themselves', [text([1, 2], 'a'), text([2, 3], 'b')], ['text', 'text']],
    [
      'blank text between thoughts',
      [reasoning([1, 2], 'a'), text([2, 3], '\n\n'), reasoning([3, 4], 'b')],
      ['thinking'],
    ],
  ])('S0-61: keeps the order of arrival of %s', (_case, segments, expected) => {
    expect(kinds(segments)).toEqual(expected)
  })

  it.each<[string, ReasoningSegment, number]>([
    ['a blank one that ended', reasoning([1, 2], ' \n'), 0],
    ['an empty one that is live', reasoning([1], ''), 1],
    ['an empty one that is encrypted', reasoning([1, 2], '', { encrypted: 'c2VjcmV0' }), 1],
    ['an empty one that is redacted', reasoning([1, 2], '', { variant: 'redacted' }), 1],
  ])('S0-108: draws reasoning only if there is something to see: %s', (_case, segment, count) => {
    expect(blocksOf([segment])).toHaveLength(count)
  })

  it('S0-117: measures from the first segment to the end of the last, and not while live', () => {
    const [done] = groups([reasoning([1000, 3000], 'a'), reasoning([3500, 6000], 'b')])
    expect(done).toMatchObject({ state: 'done', startedAt: 1000, endedAt: 6000, durationMs: 5000 })
    const [live] = groups([reasoning([1000, 3000], 'a'), reasoning([3500], 'b')])
    expect(live).toMatchObject({ state: 'live', startedAt: 1000 })
    expect(live).not.toHaveProperty('endedAt')
    expect(live).not.toHaveProperty('durationMs')
  })

  it('S0-117: does not prolong a block by later updates of its todos', () => {
    const [block] = groups([status([1000, 2000], 'a'), todos([2000, 90_000]), text([3000, 4000], 'b')])
    expect(block).toMatchObject({ state: 'done', endedAt: 2000, durationMs: 1000 })
  })

  it('S0-117: gives the same blocks live, stored, and through JSON, at every prefix', () => {
    const entries = entriesOf(
      [1000, { type: 'run-start' }],
      [1000, { type: 'message-start', messageId: 'm1', role: 'assistant' }],
      [1000, { type: 'status', message: 'Starting', level: 'info' }],
      [5000, { type: 'block-start', blockId: 'b1', kind: 'reasoning' }],
      [6000, { type: 'block-delta', blockId: 'b1', text: 'Hm.' }],
      [8000, { type: 'block-end', blockId: 'b1' }],
      [8000, { type: 'message-end', messageId: 'm1' }],
      [8000, { type: 'run-end', outcome: 'success' }],
    )
    const drawn = (chatEvents: ReturnType<typeof fold>['chatEvents']) =>
      chatEvents.map(({ segments }) => blocksOf(segments))
    const live = createFold()
    for (const [index, entry] of entries.entries()) {
      live.push([entry])
      const stored = fold(JSON.parse(JSON.stringify(entries.slice(0, index + 1))) as Entry[])
      expect(drawn(live.snapshot().chatEvents)).toEqual(drawn(stored.chatEvents))
    }
    expect(labels(drawn(live.snapshot().chatEvents).flat())).toEqual(['Processed in 4s', 'Thought for 3s'])
  })

  it('gives each block a key that stays the same while the block grows', () => {
    const before = blocksOf([status([1, 2], 'a'), reasoning([2], 'b')])
    const after = blocksOf([status([1, 2], 'a'), reasoning([2, 3], 'bc'), reasoning([3], 'd'), text([4], 'e')])
    expect(before.map(({ key }) => key)).toEqual([1, 2])
    expect(after.map(({ key }) => key)).toEqual([1, 2, 4])
  })
})

describe('groupedBlocksOf', () => {
  it('X34: puts processing first, then thinking, then the rest, and adds up their durations', () => {
    const segments = [
      text([1000, 2000], 'Hello'),
      reasoning([2000, 4000], 'a'),
      status([4000, 5000], 'b'),
      tool([5000, 60_000]),
      reasoning([60_000, 63_000], 'c'),
      status([63_000, 65_000], 'd'),
    ]
    expect(labels(groupedBlocksOf(segments))).toEqual(['Processed in 3s', 'Thought for 5s', 'text', 'tool'])
    expect(groupedBlocksOf(segments)[1]).toMatchObject({ startedAt: 2000, endedAt: 63_000 })
  })

  it('X34: is live while any of its parts is live', () => {
    expect(labels(groupedBlocksOf([reasoning([1, 2], 'a'), tool([2, 3]), reasoning([3], 'b')]))).toEqual([
      'Thinking...',
      'tool',
    ])
  })
})

describe('blockLabel', () => {
  it.each<[string, string, Segment]>([
    ['S0-111', 'Processing...', status([1000], 'a')],
    ['S0-111', 'Processed in 5s', status([1000, 6000], 'a')],
    ['S0-112', 'Thinking...', reasoning([1000], 'a')],
    ['S0-112', 'Thought for 12s', reasoning([1000, 13_000], 'a')],
    ['S0-112', 'Thought', reasoning([1000, 1000], 'a')],
    ['S0-112', 'Thought', reasoning([1000, 1049], 'a')],
    ['S0-112', 'Thought for 1s', reasoning([1000, 1050], 'a')],
    ['S0-112', 'Thought for 1s', reasoning([1000, 2499], 'a')],
    ['S0-112', 'Thought for 2s', reasoning([1000, 2500], 'a')],
    ['S0-112', 'Thought for 59s', reasoning([1000, 60_499], 'a')],
    ['S0-112', 'Thought for 1m 4s', reasoning([1000, 65_000], 'a')],
    ['S0-117', 'Thought', reasoning([1000], 'a', { state: 'interrupted' })],
    ['S0-117', 'Thought', reasoning([0, 1_700_000_000_000], 'a')],
    ['S0-117', 'Processed', status([0, 0], 'a')],
  ])('%s: labels a block "%s"', (_id, label, segment) => {
    expect(labels(blocksOf([segment]))).toEqual([label])
  })
})
