import { type ChatEvent, createFold, fold } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import { createReplay } from '@millrace/core/travel'
import { ThreadView } from '@millrace/react'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun } from '@millrace/testkit/runs'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { PositionProvider } from '../src/position/position-context.ts'
import { createPositionStore } from '../src/position/position-store.ts'
import { CodePane } from '../src/work/code/code-pane.tsx'
import { StepNavigator } from '../src/work/step-navigator.tsx'
import { TerminalPane } from '../src/work/terminal/terminal-pane.tsx'
import { WorkProvider, workOf } from '../src/work/work-context.ts'

const work = (chatEvents: readonly ChatEvent[], inside: ReactNode) => {
  const value = workOf(chatEvents, [], '', () => undefined)
  return createElement(
    PositionProvider,
    { value: createPositionStore() },
    createElement(WorkProvider, { value }, inside),
  )
}

/** Everything that shows a moment. */
const views: { readonly [name: string]: (chatEvents: readonly ChatEvent[]) => ReactNode } = {
  chat: (events) => createElement(ThreadView, { events, endedRuns: new Set<string>() }),
  code: (events) => work(events, createElement(CodePane)),
  terminal: (events) => work(events, createElement(TerminalPane)),
  steps: (events) => work(events, createElement(StepNavigator, { isPast: true })),
}

const htmlOf = (chatEvents: readonly ChatEvent[]) =>
  Object.entries(views).map(([name, view]) => `${name}: ${renderToStaticMarkup(view(chatEvents))}`)

const runs = [
  ...Object.entries(parsers).flatMap(([name, parser]) => fixturesOf(name).map((each) => recordedRun(parser, each))),
  ...generatedRuns(10, 23),
]

/** Some prefixes in an order that goes forward and back, as a hand does, and the whole between them. */
function moments(length: number): readonly number[] {
  const at = (part: number) => Math.max(1, Math.round(length * part))
  return [at(0.6), at(0.2), length, at(0.9), at(0.4), at(0.6) + 1, 1].filter((seq) => seq <= length)
}

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

describe('law 4, travelled', () => {
  it('shows at a moment what was shown live then, and what the stored prefix shows, in chat, panes and steps', () => {
    let compared = 0
    for (const { name, entries } of runs) {
      const wanted = new Set(moments(entries.length))
      const live = createFold()
      const liveHtml = new Map<number, readonly string[]>()
      for (const entry of entries) {
        live.push([entry])
        if (wanted.has(entry.seq)) liveHtml.set(entry.seq, htmlOf(live.snapshot().chatEvents))
      }
      const replay = createReplay()
      replay.push(throughJson(entries))
      for (const seq of moments(entries.length)) {
        const travelled = htmlOf(replay.at(seq).chatEvents)
        expect(travelled, `${name} at ${seq}`).toEqual(liveHtml.get(seq))
        expect(travelled).toEqual(htmlOf(throughJson(fold(throughJson(entries.slice(0, seq))).chatEvents)))
        compared++
      }
    }
    expect(compared).toBeGreaterThan(5 * runs.length)
  }, 240_000)
})
