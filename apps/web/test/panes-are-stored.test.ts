import { isDeepStrictEqual } from 'node:util'
import { type ChatEvent, createFold, fold } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun } from '@millrace/testkit/runs'
import { type ComponentType, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { PositionProvider } from '../src/position/position-context.ts'
import { createPositionStore } from '../src/position/position-store.ts'
import { CodePane } from '../src/work/code/code-pane.tsx'
import { FilesPane } from '../src/work/files/files-pane.tsx'
import { TerminalPane } from '../src/work/terminal/terminal-pane.tsx'
import { WorkProvider, workOf } from '../src/work/work-context.ts'

const panes: { readonly [name: string]: { readonly pane: ComponentType; readonly empty: string } } = {
  code: { pane: CodePane, empty: 'No file was read or written yet.' },
  terminal: { pane: TerminalPane, empty: 'No command was run yet.' },
  files: { pane: FilesPane, empty: 'No file was made or visited yet.' },
}

/** What a pane draws of chat events before any timer has run. */
function htmlOf(pane: ComponentType, chatEvents: readonly ChatEvent[]): string {
  const work = workOf(chatEvents, [], '', () => undefined)
  const inside = createElement(WorkProvider, { value: work }, createElement(pane))
  return renderToStaticMarkup(createElement(PositionProvider, { value: createPositionStore() }, inside))
}

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

type Run = Pick<ReturnType<typeof recordedRun>, 'name' | 'entries'>

const runs: readonly Run[] = [
  ...Object.entries(parsers).flatMap(([name, parser]) => fixturesOf(name).map((each) => recordedRun(parser, each))),
  ...generatedRuns(20, 11),
]

describe.each(Object.entries(panes))('the pane %s, over every recording', (_name, { pane, empty }) => {
  const drawn = runs.filter(({ entries }) => !htmlOf(pane, fold(entries).chatEvents).includes(empty))

  it('draws something of many formats', () => {
    expect(drawn.length).toBeGreaterThan(20)
  })

  it('draws the same at prefixes of every length, live, stored and after travelling back', () => {
    for (const { name, entries } of drawn) {
      const live = createFold()
      const stored = throughJson(entries)
      const lengths = prefixesOf(entries.length)
      const liveHtml = entries.map((entry, index) => {
        live.push([entry])
        return lengths.has(index + 1) ? htmlOf(pane, live.snapshot().chatEvents) : undefined
      })
      // Travelling folds the log anew up to an entry; what the whole run has left in caches must not show.
      const travelled = createFold()
      for (const [index, entry] of stored.entries()) {
        travelled.push([entry])
        if (!lengths.has(index + 1)) continue
        const html = [
          htmlOf(pane, throughJson(fold(stored.slice(0, index + 1)).chatEvents)),
          htmlOf(pane, travelled.snapshot().chatEvents),
        ]
        if (!isDeepStrictEqual(html, [liveHtml[index], liveHtml[index]]))
          expect(html, `${name} after ${index + 1}`).toEqual([liveHtml[index], liveHtml[index]])
      }
    }
  }, 240_000)
})

/** Every prefix of a short run; of a longer one about as many, with the last ones among them. */
const MOST_PREFIXES = 12

function prefixesOf(length: number): ReadonlySet<number> {
  const step = Math.max(1, length / MOST_PREFIXES)
  const spread = Array.from({ length: Math.min(length, MOST_PREFIXES) }, (_, index) => Math.floor((index + 1) * step))
  return new Set([...spread, length - 1, length])
}
