import { fileURLToPath } from 'node:url'
import type { Entry } from '@millrace/core/entry'
import type { createFold, totalsOf } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import type { createReader } from '@millrace/core/read'
import { wires } from '@millrace/core/wire'
import type { Wire } from '@millrace/core/wire/wire'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf, generatedRuns } from '@millrace/testkit/runs'

/** The exports of an evaluated bundle. */
export type Exports = { readonly [name: string]: unknown }

/** Code that is changed, and what shows a change. */
export interface Subject {
  readonly name: string
  readonly modules: readonly string[]
  /** Where the changes are made. */
  readonly folders: readonly string[]
  /** Each returns, as text, what the code makes of one recording or generated run. */
  views(): readonly ((exports: Exports) => string)[]
}

const core = fileURLToPath(new URL('../../packages/core/src', import.meta.url))
const SEED = 1
const GENERATED = 60

/** The member among the exports: every module has one. */
function memberIn<Member>(exports: Exports, method: keyof Member): Member {
  const found = Object.values(exports).find((value) => typeof (value as Member | undefined)?.[method] === 'function')
  if (found === undefined) throw new Error('The module exports no member.')
  return found as Member
}

const parserSubject = (format: string): Subject => ({
  name: `parse ${format}`,
  modules: [`${core}/parse/${format}.ts`, '@millrace/core/read'],
  folders: ['packages/core/src/parse/'],
  views: () =>
    fixturesOf(format).map(({ records }) => (exports) => {
      const parser = memberIn<Parser>(exports, 'recognize')
      const reader = (exports as { readonly createReader: typeof createReader }).createReader(parser)
      const events = [...records.flatMap((record) => reader.push(record)), ...reader.end()]
      return JSON.stringify([events, records.map(parser.recognize)])
    }),
})

/** All recordings as entries, and some generated runs. */
function allRuns(): readonly (readonly Entry[])[] {
  const recorded = Object.entries(parsers).flatMap(([format, parser]) =>
    fixturesOf(format).map(({ records }) => entriesOf(eventsOf(parser, records))),
  )
  return [...generatedRuns(GENERATED, SEED).map(({ entries }) => entries), ...recorded]
}

const wireSubject = (name: string): Subject => ({
  name: `wire ${name}`,
  modules: [`${core}/wire/${name}.ts`],
  folders: ['packages/core/src/wire/'],
  views: () =>
    allRuns().map((entries) => (exports) => {
      const state = memberIn<Wire>(exports, 'create').create({ runId: 'run', threadId: 'thread' })
      return JSON.stringify(entries.map((entry) => state.push(entry)))
    }),
})

const MOMENTS = 8

/** The fold of runs as they grow: what a viewer sees at some moments, and at the end. */
const foldSubject: Subject = {
  name: 'fold',
  modules: ['@millrace/core/fold'],
  folders: ['packages/core/src/fold/'],
  views: () =>
    allRuns().map((entries) => (exports) => {
      const made = exports as { readonly createFold: typeof createFold; readonly totalsOf: typeof totalsOf }
      const growing = made.createFold()
      const shown = entries.flatMap((entry, index) => {
        growing.push([{ ...entry, ...(index % 3 === 0 && { by: 'server' as const }) }])
        return index % Math.ceil(entries.length / MOMENTS) === 0 ? [JSON.stringify(growing.snapshot())] : []
      })
      return [...shown, JSON.stringify([growing.snapshot(), made.totalsOf(growing.snapshot())])].join('\n')
    }),
}

export const subjects: readonly Subject[] = [
  ...Object.keys(parsers).map(parserSubject),
  foldSubject,
  ...Object.keys(wires).map(wireSubject),
]
