import type { Span, Spans } from '@millrace/core/spans'
import { describe, expect, it } from 'vitest'
import { barsOf } from './bars.ts'
import { kindTree } from './group-trees.ts'
import { contextLane, speedLane } from './lanes.ts'
import { grownBy, hasTimes, timeCovered } from './row-times.ts'
import { pathLines, rowsOf, rowsOnPath, spanOfSelection } from './rows.ts'
import { familyOf, type SpanNode } from './span-tree.ts'
import { spentOf } from './spent.ts'
import { stepTree } from './step-tree.ts'

let seq = 0
const span = (id: string, from: number, to: number, fields: Partial<Span> = {}): Span => ({
  id,
  kind: 'tool',
  state: 'done',
  name: id,
  seqs: [++seq, seq],
  startedAt: from,
  endedAt: to,
  readyAt: from,
  phases: [{ kind: 'run', from, to }],
  ...fields,
})

const times = (endedAt: number, ...spans: readonly Span[]): Spans => ({
  runId: 'r',
  startedAt: 0,
  endedAt,
  isOver: true,
  spans,
  marks: [],
})

const model = (id: string, from: number, to: number, fields: Partial<Span> = {}) =>
  span(id, from, to, { kind: 'model', name: 'm', phases: [{ kind: 'output', from, to }], ...fields })
const asked = (by: string) => ({ asked: by })

const drawn = (node: SpanNode, depth = 0): readonly string[] => [
  `${'  '.repeat(depth)}${node.name}${node.note === '' ? '' : ` (${node.note})`}`,
  ...node.children.flatMap((child) => drawn(child, depth + 1)),
]

describe('the rows of a run', () => {
  it('are its model calls, each with its thoughts and its calls; many calls are one row', () => {
    const calls = ['a', 'b', 'c', 'd'].map((id) =>
      span(id, 10, 12, { name: id < 'c' ? 'Read' : 'Bash', ...asked('m1') }),
    )
    const thought = span('t', 1, 5, { kind: 'thought', parent: 'm1' })
    const run = times(30, model('m1', 0, 10), thought, ...calls, model('m2', 12, 20), span('e', 20, 30, asked('m2')))
    expect(drawn(stepTree(familyOf(run)))).toEqual([
      'Run',
      '  Model call 1 (m)',
      '    Thought',
      '    4 tools (Read, Bash)',
      '      Read',
      '      Read',
      '      Bash',
      '      Bash',
      '  Model call 2 (m)',
      '    e',
    ])
  })

  it('of a subagent are its model calls together, and adjacent calls of one tool together', () => {
    const inside = { parent: 's', agentId: 'a' }
    const run = times(
      90,
      model('m1', 0, 10),
      span('s', 10, 90, { kind: 'subagent', name: 'scout', agentId: 'a', ...asked('m1') }),
      model('i1', 10, 20, { ...inside, usage: { inputTokens: 5, outputTokens: 1 } }),
      span('r1', 20, 25, { ...inside, name: 'Read' }),
      span('r2', 21, 26, { ...inside, name: 'Read' }),
      span('b', 26, 40, { ...inside, name: 'Bash' }),
      model('i2', 40, 60, { ...inside, usage: { inputTokens: 7, outputTokens: 2 } }),
    )
    const root = stepTree(familyOf(run))
    expect(drawn(root).slice(2)).toEqual([
      '    scout (subagent)',
      '      2 model calls',
      '        Model call 1 (m)',
      '        Model call 2 (m)',
      '      Read ×2',
      '        Read',
      '        Read',
      '      Bash',
    ])
    const scout = root.children[0]?.children[0]
    expect(scout?.usage).toEqual({ inputTokens: 12, outputTokens: 3 })
  })

  it('by kind begin with what took the longest', () => {
    const run = times(50, model('m', 0, 5), span('a', 5, 15, { name: 'Bash' }), span('b', 20, 50, { name: 'Edit' }))
    expect(drawn(kindTree(familyOf(run))).filter((line) => line.startsWith('  ') && line[2] !== ' ')).toEqual([
      '  Edit (1)',
      '  Bash (1)',
      '  Model calls (1)',
    ])
  })
})

describe('the critical path through the rows', () => {
  const run = times(
    100,
    model('m1', 0, 10),
    span('a', 10, 40, asked('m1')),
    span('short', 10, 20, asked('m1')),
    model('m2', 45, 60),
    span('b', 60, 100, asked('m2')),
  )
  const root = stepTree(familyOf(run))

  it('is one line: where nothing was at work, what was before lasts', () => {
    const rows = rowsOf(root, new Set())
    const { stretches, steps } = pathLines(run, rows)
    expect(
      [...stretches].map(([row, all]) => [rows[row]?.node.id, all.map(({ from, to }) => `${from}–${to}`)]),
    ).toEqual([
      ['m1', ['0–10']],
      ['a', ['10–40', '40–45']],
      ['m2', ['45–60']],
      ['b', ['60–100']],
    ])
    expect(steps.map(({ at, fromRow, toRow }) => [at, rows[fromRow]?.node.id, rows[toRow]?.node.id])).toEqual([
      [10, 'm1', 'a'],
      [45, 'a', 'm2'],
      [60, 'm2', 'b'],
    ])
    expect([...rowsOnPath(run, rows)].map((row) => rows[row]?.node.id)).toEqual(['', 'm1', 'a', 'm2', 'b'])
  })

  it('goes through the folded row that holds a span', () => {
    const rows = rowsOf(root, new Set(['m1']))
    expect(rows.map(({ node }) => node.id)).toEqual(['', 'm1', 'm2', 'b'])
    const { stretches, steps } = pathLines(run, rows)
    expect(stretches.get(1)?.map(({ from, to }) => [from, to])).toEqual([
      [0, 10],
      [10, 40],
      [40, 45],
    ])
    expect(steps[0]).toEqual({ at: 45, fromRow: 1, toRow: 2 })
  })
})

describe('the parts of the summary', () => {
  it('are rounded so that they add up to the rounded whole', () => {
    const run = times(1_000, model('m', 0, 333), span('a', 333, 666), span('s', 666, 999, { kind: 'status' }))
    const spent = spentOf(run)
    expect(spent.reduce((sum, { tenths }) => sum + tenths, 0)).toBe(10)
    expect(spent.map(({ kind }) => kind)).toEqual(['model', 'tools', 'status', 'between'])
  })
})

describe('a bar', () => {
  it('has the phases of its span, as far as they lie in the window', () => {
    const tool = span('t', 0, 100, {
      phases: [
        { kind: 'input', from: 0, to: 20 },
        { kind: 'person', from: 20, to: 60 },
        { kind: 'run', from: 60, to: 100 },
      ],
    })
    const [bar] = barsOf([tool], { from: 10, to: 90 }, false)
    expect([bar?.left, bar?.width]).toEqual([0, 100])
    expect(bar?.parts.map(({ share, fill, tone }) => [share, fill, tone])).toEqual([
      [12.5, 'wait', 'tool'],
      [50, 'hatch', 'wait'],
      [37.5, 'work', 'tool'],
    ])
    expect(barsOf([tool], { from: 100.5, to: 120 }, false)).toEqual([])
    expect(barsOf([tool], { from: -50, to: -1 }, false)).toEqual([])
  })

  it('of a row of thousands is joined with those that cannot be told apart', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => span(`s${index}`, index, index + 0.9))
    const bars = barsOf(many, { from: 0, to: 5_000 }, false)
    expect(bars).toHaveLength(1)
    expect(barsOf(many, { from: 0, to: 50 }, false)).toHaveLength(51)
  })
})

describe('the lanes', () => {
  it('count tokens where they were counted, and characters otherwise', () => {
    const writes = [{ from: 0, to: 500, length: 400 }]
    const counted = model('m', 0, 500, { written: 400, writes, usage: { outputTokens: 100 } })
    expect(speedLane(times(1_000, counted), { from: 0, to: 1_000 }, 4)).toEqual({
      bins: [200, 200, 0, 0],
      peak: 200,
      unit: 'tokens',
    })
    const uncounted = model('m', 0, 500, { written: 400, writes })
    expect(speedLane(times(1_000, uncounted), { from: 250, to: 750 }, 2)).toMatchObject({
      bins: [800, 0],
      unit: 'characters',
    })
  })

  it('show what the calls of the main agent were sent', () => {
    const inner = model('i', 5, 6, { agentId: 'a', usage: { inputTokens: 9 } })
    const run = times(9, model('m', 1, 2, { usage: { inputTokens: 7 } }), inner, model('n', 7, 8))
    expect(contextLane(run)).toEqual([{ at: 1, tokens: 7 }])
  })
})

describe('times', () => {
  it('of a live run grow with the clock, and those of an ended one do not', () => {
    const { endedAt: _, ...open } = span('a', 0, 10)
    const live = { ...times(10, { ...open, state: 'live' }), isOver: false }
    const grown = grownBy(live, 500)
    expect([grown.endedAt, grown.spans[0]?.phases]).toEqual([510, [{ kind: 'run', from: 0, to: 510 }]])
    const ended = times(10, span('a', 0, 10))
    expect(grownBy(ended, 500)).toBe(ended)
  })

  it('are none if a file was imported in a moment', () => {
    const at = (endedAt: number) => times(endedAt, span('a', 0, endedAt))
    expect(hasTimes(at(0), 10, true)).toBe(false)
    expect(hasTimes(at(40), 10, false)).toBe(false)
    expect(hasTimes(at(40), 10, true)).toBe(true)
    expect(hasTimes(at(2_000), 20_000, false)).toBe(false)
    expect(hasTimes(at(2_000), 200, false)).toBe(true)
    const calls = Array.from({ length: 30 }, (_, index) => model(`m${index}`, index, index + 1))
    expect(hasTimes(times(2_000, ...calls), 200, false)).toBe(false)
    expect(hasTimes({ ...at(0), isOver: false }, 1, false)).toBe(true)
  })

  it('that overlap are counted once', () => {
    expect(timeCovered([span('a', 0, 10), span('b', 5, 12), span('c', 20, 21)])).toBe(13)
  })
})

describe('the span of a selection', () => {
  it('is that of its call, else that of the very same entries, else the smallest', () => {
    const outer = model('m', 0, 10, { seqs: [5, 20] })
    const inner = span('t', 0, 5, { kind: 'thought', seqs: [5, 9] })
    const tool = span('c', 5, 9, { callId: 'call', seqs: [8, 19] })
    const all = [outer, inner, tool]
    expect(spanOfSelection(all, { seqs: [1, 1], callId: 'call' })).toBe(tool)
    expect(spanOfSelection(all, { seqs: [5, 20] })).toBe(outer)
    expect(spanOfSelection(all, { seqs: [5, 5] })).toBe(inner)
    expect(spanOfSelection(all, { seqs: [15, 15] })).toBe(tool)
    expect(spanOfSelection(all, { seqs: [30, 30] })).toBeUndefined()
  })
})
