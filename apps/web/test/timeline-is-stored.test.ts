import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '@millrace/core/events'
import { fold } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import { createSpans, type Spans, spansOfEntries, usageOf } from '@millrace/core/spans'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun } from '@millrace/testkit/runs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { PositionProvider } from '../src/position/position-context.ts'
import { createPositionStore } from '../src/position/position-store.ts'
import { agentTree, kindTree } from '../src/timeline/group-trees.ts'
import { hasTimes } from '../src/timeline/row-times.ts'
import { type Family, familyOf, type SpanNode } from '../src/timeline/span-tree.ts'
import { spentOf } from '../src/timeline/spent.ts'
import { stepTree } from '../src/timeline/step-tree.ts'
import { TimelineView } from '../src/timeline/timeline-view.tsx'
import { createTimesAt } from '../src/timeline/times-at.ts'

interface Run {
  readonly name: string
  readonly entries: readonly Entry[]
}

const none = () => undefined
const isDated = (entries: readonly Entry[]) => entries.some(({ event }) => event.sentAt !== undefined)

/** What the timeline draws of a run before any timer has run. */
function htmlOf(times: Spans, entries: readonly Entry[]): string {
  const { chatEvents } = fold(entries, { runId: times.runId })
  const view = createElement(TimelineView, {
    times,
    chatEvents,
    hasTimes: hasTimes(times, entries.length, isDated(entries)),
    isNarrow: false,
    onShow: none,
    onLens: none,
  })
  return renderToStaticMarkup(createElement(PositionProvider, { value: createPositionStore() }, view))
}

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const recorded: readonly Run[] = Object.entries(parsers).flatMap(([name, parser]) =>
  fixturesOf(name).map((each) => recordedRun(parser, each)),
)
const runs = [...recorded, ...generatedRuns(20, 11)]

/** Drawing costs more than reading: `test/laws-spans.test.ts` reads every prefix. */
const MOST_PREFIXES = 3

function prefixesOf(length: number): readonly number[] {
  const step = Math.max(1, length / MOST_PREFIXES)
  const spread = Array.from({ length: Math.min(length, MOST_PREFIXES) }, (_, index) => Math.floor((index + 1) * step))
  return [...new Set([...spread, length])].filter((each) => each > 0).sort((one, other) => one - other)
}

/** Travelled there from the end, and read on from there. */
function travelledTo(length: number, entries: readonly Entry[]): readonly Spans[] {
  const times = createTimesAt('run', () => entries)
  times.at(entries.length)
  const back = times.at(length)
  times.at(Math.max(0, length - 2))
  return [back, times.at(length)]
}

describe('the timeline, over every recording', () => {
  it('draws the same at prefixes of every length, live, stored and after travelling there', () => {
    for (const { name, entries } of runs) {
      const live = createSpans()
      let read = 0
      for (const length of prefixesOf(entries.length)) {
        live.push(entries.slice(read, length))
        read = length
        const liveHtml = htmlOf(live.snapshot(), entries.slice(0, length))
        const stored = throughJson(entries)
        const storedHtml = htmlOf(spansOfEntries(stored.slice(0, length)), stored.slice(0, length))
        if (storedHtml !== liveHtml) expect(storedHtml, `${name} after ${length}`).toBe(liveHtml)
        // What is drawn depends on nothing but the times and the fold.
        for (const travelled of travelledTo(length, stored))
          if (!isDeepStrictEqual(throughJson(travelled), throughJson(live.snapshot())))
            expect(travelled, `${name} after ${length}`).toEqual(live.snapshot())
      }
    }
  }, 240_000)

  it('draws times for many of them, and says of the others that they have none', () => {
    const timed = recorded.filter(isTimed)
    expect(timed.length).toBeGreaterThan(20)
    for (const run of recorded) {
      const html = htmlOf(spansOfEntries(run.entries), run.entries)
      expect([html.includes('Where the time went'), html.includes('carry no times')], run.name).toEqual(
        isTimed(run) ? [true, false] : [false, true],
      )
    }
  }, 120_000)
})

const isTimed = ({ entries }: Run) => hasTimes(spansOfEntries(entries), entries.length, isDated(entries))

describe('what the timeline draws adds up', () => {
  it('to the wall time of every recording with times, in rows as in its summary', () => {
    expect(checkedSums(recorded)).toBeGreaterThan(20)
  })

  it('to the usage of the run, over every recording that was counted by steps', () => {
    let counted = 0
    for (const run of recorded) counted += checkUsage(run)
    expect(counted).toBeGreaterThan(20)
  })

  for (const [name, parser] of Object.entries(parsers)) {
    const corpus = corpusOf(name)
    if ('absent' in corpus) {
      it.skip(`over the corpus of ${name}: ${corpus.absent}`, none)
      continue
    }
    it(`over the corpus of ${name}`, () => {
      const all = corpus.recordings.map((recording) => recordedRun(parser, recording))
      const [timed, counted] = [checkedSums(all), all.reduce((sum, run) => sum + checkUsage(run), 0)]
      if (process.env.MILLRACE_COUNTS !== undefined)
        console.log(`${name}: ${all.length} recordings, ${timed} with times, ${counted} with usage by step`)
    })
  }
})

/** The number of runs with times whose parts were added up. */
function checkedSums(all: readonly Run[]): number {
  const timed = all.filter(isTimed)
  for (const { name, entries } of timed) {
    const times = spansOfEntries(entries)
    const wall = times.endedAt - times.startedAt
    const spent = spentOf(times)
    expect(Math.abs(spent.reduce((sum, { ms }) => sum + ms, 0) - wall), name).toBeLessThan(0.01)
    expect(
      spent.reduce((sum, { tenths }) => sum + tenths, 0),
      name,
    ).toBe(Math.round(wall / 100))
    for (const { phases, startedAt, endedAt } of times.spans) {
      const sum = phases.reduce((before, { from, to }) => before + to - from, 0)
      expect(Math.abs(sum - ((endedAt ?? times.endedAt) - startedAt)), name).toBeLessThan(0.01)
    }
  }
  return timed.length
}

const trees: readonly ((family: Family) => SpanNode)[] = [stepTree, kindTree, agentTree]

/** Each span is in each tree once. The model calls of a tree have the usage of the run, unless it was counted as a whole. */
function checkUsage({ name, entries }: Run): number {
  const times = spansOfEntries(entries)
  const isWhole = entries.some(({ event }) => event.type === 'usage' && event.scope === 'run')
  for (const treeOf of trees) {
    const root = treeOf(familyOf(times))
    const leaves = leavesOf(root)
    expect(leaves.map(({ id }) => id).sort(), name).toEqual(times.spans.map(({ id }) => id).sort())
    expect(root.usage, name).toEqual(times.usage)
    if (!isWhole) expect(usageOf(leaves.filter(({ kind }) => kind === 'model')), name).toEqual(times.usage ?? {})
  }
  return isWhole || times.usage === undefined ? 0 : 1
}

const leavesOf = ({ span, children }: SpanNode): readonly NonNullable<SpanNode['span']>[] => [
  ...(span === undefined ? [] : [span]),
  ...children.flatMap(leavesOf),
]
