import { readFileSync } from 'node:fs'
import type { StreamEvent } from '@millrace/core/events'
import { type Parser, SILENT } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { parserSuite } from '@millrace/testkit/parser-suite'
import { recordingOf } from '@millrace/testkit/recordings'
import { waitingRun } from '@millrace/testkit/runs'
import { type WireFacts, wireSuite } from '@millrace/testkit/wire-suite'
import { toolshed } from '../../../../examples/own-parser/toolshed.ts'

// Members that a suite must refuse, each for one reason. A process of `node:test` runs this file.

const file = new URL('../../../../examples/own-parser/recordings/gauge.jsonl', import.meta.url)
/** Without a golden file: the laws alone must find what is wrong. */
const recording = recordingOf('gauge', readFileSync(file), 'json-lines')

/** The example's parser, its events of a line changed by `change`. */
function changed(change: (events: readonly StreamEvent[], value: unknown) => readonly StreamEvent[]): Parser {
  return {
    ...toolshed,
    create() {
      const { push, end } = toolshed.create()
      return { push: (value, record) => change(push(value, record), value), end }
    },
  }
}

let shared = 0
const isText = (value: unknown) => (value as { readonly type?: unknown } | null)?.type === 'say'

parserSuite('without recordings', toolshed, [])
parserSuite('with an empty recording', toolshed, [recordingOf('empty', new Uint8Array(), 'json-lines')])
parserSuite(
  'silent about text',
  changed((events, value) => (isText(value) ? SILENT : events)),
  [recording],
)
parserSuite(
  'with one state for all instances',
  changed((events) => events.map((event) => ({ ...event, meta: { own: { count: ++shared } } }))),
  [recording],
)
parserSuite(
  'with a clock',
  changed((events) => events.map((event) => ({ ...event, sentAt: Date.now() }))),
  [recording],
)
parserSuite('recognised by nothing', { ...toolshed, recognize: () => undefined }, [recording])
parserSuite('with a false loss', { ...toolshed, losses: { usage: 'It counts nothing.' } }, [recording])

const facts: WireFacts = {
  ends: ({ type }) => type === 'finish',
  streamsText: 'always',
  client: { none: 'not needed here' },
  publicHalf: { none: 'not needed here' },
}
wireSuite('without runs', wires.native, [], facts)
wireSuite('with an empty run', wires.native, [{ name: 'empty', entries: [] }], facts)
wireSuite('without facts', wires.native, [waitingRun], undefined)
wireSuite('that never ends', wires.native, [waitingRun], facts)
