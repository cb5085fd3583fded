import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '@millrace/core/events'
import { fold } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import { createSpans, criticalPaths, type Spans, spansOfEntries, timeSums, usageOf } from '@millrace/core/spans'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'

interface Run {
  readonly name: string
  readonly entries: readonly Entry[]
}

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

/** Everything that the timeline draws. */
const drawnOf = (times: Spans) => ({
  times,
  sums: timeSums(times),
  paths: [...criticalPaths(times)].map(([holder, { parts, slack }]) => [holder, parts, [...slack]]),
})

function checkLive({ name, entries }: Run): void {
  const live = createSpans()
  let before: Spans | undefined
  for (const [index, entry] of entries.entries()) {
    live.push([entry])
    const now = live.snapshot()
    const stored = spansOfEntries(throughJson(entries.slice(0, index + 1)))
    if (!isDeepStrictEqual(throughJson(drawnOf(now)), throughJson(drawnOf(stored))))
      expect(drawnOf(now), `${name} after ${index + 1}`).toEqual(drawnOf(stored))
    if (before !== undefined) checkKept(name, before)
    before = { ...now, spans: now.spans.map((span) => Object.freeze(span)) }
  }
}

/** A frozen span throws when it is changed later; its numbers stay numbers. */
function checkKept(name: string, { spans }: Spans): void {
  for (const { startedAt, readyAt, phases } of spans)
    if (![startedAt, readyAt, phases[0]?.from].every(Number.isFinite)) expect.fail(`${name}: a time is no number`)
}

const near = (one: number, other: number) => Math.abs(one - other) < 0.01

/** Times may be fractions of a millisecond since 1970: their sums are not exact. */
function checkTimes({ name, entries }: Run): void {
  const times = spansOfEntries(entries)
  const { startedAt, endedAt } = fold(entries)
  expect([times.startedAt, times.isOver ? times.endedAt : undefined], name).toEqual([startedAt, endedAt])
  const wall = times.endedAt - times.startedAt
  const sum = Object.values(timeSums(times)).reduce((one, other) => one + other, 0)
  expect(near(sum, wall), `${name}: ${sum} of ${wall} ms`).toBe(true)
  for (const { parts } of criticalPaths(times).values()) {
    for (const [index, { from, to }] of parts.entries()) {
      expect(from < to && (index === 0 || parts[index - 1]?.to === from), `${name}: the path has a gap`).toBe(true)
    }
  }
  const path = criticalPaths(times).get('')?.parts ?? []
  expect([path[0]?.from ?? startedAt, path.at(-1)?.to ?? times.startedAt], name).toEqual([startedAt, times.endedAt])
}

function checkSpans({ name, entries }: Run): void {
  const times = spansOfEntries(entries)
  const byId = new Map(times.spans.map((span) => [span.id, span]))
  expect(byId.size, name).toBe(times.spans.length)
  const last = entries.at(-1)?.seq ?? 0
  for (const { id, phases, seqs, readyAt, parent, asked, ...span } of times.spans) {
    const end = span.endedAt ?? Math.max(span.startedAt, times.endedAt)
    const bounds = [times.startedAt <= span.startedAt, span.startedAt <= end, end <= times.endedAt]
    expect(bounds, `${name} ${id}`).toEqual([true, true, true])
    expect([phases[0]?.from, phases.at(-1)?.to], `${name} ${id}`).toEqual([span.startedAt, end])
    for (const [index, { from, to }] of phases.entries())
      expect(from <= to && (index === 0 || phases[index - 1]?.to === from), `${name} ${id}`).toBe(true)
    expect(readyAt >= span.startedAt && 1 <= seqs[0] && seqs[0] <= seqs[1] && seqs[1] <= last, `${name} ${id}`).toBe(
      true,
    )
    checkWrites(span.writes ?? [], span.written ?? 0, [span.startedAt, end], `${name} ${id}`)
    for (const link of [parent, asked]) if (link !== undefined) expect(byId.has(link), `${name} ${id}`).toBe(true)
    if (asked !== undefined) expect(byId.get(asked)?.kind, `${name} ${id}`).toBe('model')
    if (times.isOver) expect(span.state, `${name} ${id}`).not.toBe('live')
  }
}

function checkWrites(writes: Writes, written: number, [start, end]: readonly [number, number], name: string): void {
  expect(
    writes.reduce((sum, { length }) => sum + length, 0),
    name,
  ).toBe(written)
  for (const { from, to } of writes)
    expect(start <= from && from <= to && to <= end, `${name}: ${from}–${to}`).toBe(true)
}

type Writes = NonNullable<Spans['spans'][number]['writes']>

const countsForRun = ({ entries }: Run) => entries.some(({ event }) => event.type === 'usage' && event.scope === 'run')

function checkUsage(run: Run): void {
  const times = spansOfEntries(run.entries)
  expect(times.usage, run.name).toEqual(fold(run.entries).usage)
  // A count of the run replaces those of its steps: then nothing says whose they are.
  if (!countsForRun(run)) expect(usageOf(times.spans), run.name).toEqual(times.usage ?? {})
}

/** Every call and every subagent of the chat has a span, and the same state as its segment. */
function checkPieces({ name, entries }: Run): void {
  const { spans } = spansOfEntries(entries)
  const calls = new Map(spans.flatMap((span) => (span.callId === undefined ? [] : [[span.callId, span] as const])))
  for (const { event } of entries) {
    if (event.type === 'tool-start') expect(calls.has(event.callId), `${name} ${event.callId}`).toBe(true)
    if (event.type === 'subagent-start')
      expect(
        spans.some(({ kind, agentId }) => kind === 'subagent' && agentId === event.agentId),
        `${name} ${event.agentId}`,
      ).toBe(true)
  }
}

const recorded: readonly Run[] = Object.entries(parsers).flatMap(([name, parser]) =>
  fixturesOf(name).map((each) => recordedRun(parser, each)),
)
const runs = [...recorded, ...generatedRuns(150, 11)]

describe('over every recording and generated stream, the spans', () => {
  it('are the same at every entry, live as stored', () => {
    for (const run of runs) checkLive(run)
  })

  it('have phases that fill them, and lie within the run', () => {
    for (const run of runs) checkSpans(run)
  })

  it('have a critical path without gaps, whose times add up to the wall time of the run', () => {
    for (const run of runs) checkTimes(run)
  })

  it('have the usage of the run, and their own adds up to it unless the run was counted as a whole', () => {
    expect(recorded.filter((run) => !countsForRun(run)).length).toBeGreaterThan(recorded.length / 2)
    for (const run of runs) checkUsage(run)
  })

  it('show every call and every subagent', () => {
    for (const run of runs) checkPieces(run)
  })
})

describe('over the corpus, the spans', () => {
  for (const [name, parser] of Object.entries(parsers)) {
    const corpus = corpusOf(name)
    if ('absent' in corpus) {
      it.skip(`add up in ${name}: ${corpus.absent}`, () => {})
      continue
    }
    it(`add up in ${name}`, () => {
      for (const recording of corpus.recordings) {
        const run = recordedRun(parser, recording)
        for (const check of [checkSpans, checkTimes, checkUsage, checkPieces]) check(run)
      }
    })
  }
})
