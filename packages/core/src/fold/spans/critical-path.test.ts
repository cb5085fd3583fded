import { describe, expect, it } from 'vitest'
import { criticalPaths } from './critical-path.ts'
import type { Span, Spans } from './span.ts'
import { timeSums } from './time-sums.ts'

const span = (id: string, from: number, to: number, fields: Partial<Span> = {}): Span => ({
  id,
  kind: 'tool',
  state: 'done',
  name: id,
  seqs: [1, 1],
  startedAt: from,
  endedAt: to,
  readyAt: from,
  phases: [{ kind: 'run', from, to }],
  ...fields,
})

const run = (endedAt: number, ...spans: readonly Span[]): Spans => ({
  runId: 'r',
  startedAt: 0,
  endedAt,
  isOver: true,
  spans,
  marks: [],
})

const pathOf = (times: Spans, holder = '') =>
  (criticalPaths(times).get(holder)?.parts ?? []).map((part) => `${part.span?.id ?? '-'} ${part.from}–${part.to}`)
const slackOf = (times: Spans, id: string) => {
  const { ms, behind } = criticalPaths(times).get('')?.slack.get(id) ?? {}
  return [ms, behind?.id]
}

describe('the critical path', () => {
  it('goes from the end to what ended last before each beginning, and says where nothing was at work', () => {
    const times = run(100, span('a', 0, 20), span('long', 20, 70), span('short', 20, 40), span('b', 75, 100))
    expect(pathOf(times)).toEqual(['a 0–20', 'long 20–70', '- 70–75', 'b 75–100'])
  })

  it('goes from a call to the model call that asked for it, which may write on', () => {
    const model = span('m', 0, 30, { kind: 'model' })
    const tool = span('t', 8, 50, { asked: 'm', readyAt: 12 })
    expect(pathOf(run(50, model, tool))).toEqual(['m 0–12', 't 12–50'])
  })

  it('goes through what began last if nothing had ended', () => {
    expect(pathOf(run(50, span('outer', 0, 50), span('inner', 10, 50)))).toEqual(['outer 0–10', 'inner 10–50'])
  })

  it('is that of a subagent, too, between its own beginning and end', () => {
    const agent = span('agent', 10, 60, { kind: 'subagent' })
    const times = run(60, agent, span('x', 15, 55, { parent: 'agent' }))
    expect(pathOf(times)).toEqual(['- 0–10', 'agent 10–60'])
    expect(pathOf(times, 'agent')).toEqual(['- 10–15', 'x 15–55', '- 55–60'])
  })

  it('tells by how much what is not on it could have ended later, through what came next in turn', () => {
    const times = run(
      100,
      span('long', 0, 70),
      span('edit', 10, 20),
      span('model', 20, 25),
      span('test', 30, 40),
      span('last', 70, 100),
    )
    expect(pathOf(times)).toEqual(['long 0–70', 'last 70–100'])
    expect(slackOf(times, 'long')).toEqual([0, undefined])
    expect(slackOf(times, 'test')).toEqual([30, 'long'])
    expect(slackOf(times, 'model')).toEqual([35, 'long'])
    expect(slackOf(times, 'edit')).toEqual([35, 'long'])
  })

  it('adds up to the wall time, each part by what was done in it', () => {
    const model = span('m', 0, 30, {
      kind: 'model',
      phases: [
        { kind: 'failed', from: 0, to: 4 },
        { kind: 'first-token', from: 4, to: 10 },
        { kind: 'output', from: 10, to: 30 },
      ],
    })
    const tool = span('t', 25, 80, {
      asked: 'm',
      readyAt: 30,
      phases: [
        { kind: 'input', from: 25, to: 30 },
        { kind: 'person', from: 30, to: 60 },
        { kind: 'run', from: 60, to: 80 },
      ],
    })
    const status = span('s', 85, 90, { kind: 'status' })
    expect(timeSums(run(90, model, tool, status))).toEqual({
      model: 26,
      tools: 20,
      subagent: 0,
      person: 30,
      failed: 4,
      status: 5,
      between: 5,
    })
  })
})
