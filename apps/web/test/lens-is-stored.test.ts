import type { Entry } from '@millrace/core/events'
import { type ChatEvent, createFold, fold } from '@millrace/core/fold'
import { createPieceEntries } from '@millrace/core/lens'
import { parsers } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { createStamp } from '@millrace/core/read/stamp'
import type { Recording } from '@millrace/testkit/recordings'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { type Station, stations } from '../src/work/lens/lens-chain.tsx'
import { lensSubject } from '../src/work/lens/lens-subject.ts'
import { LensView } from '../src/work/lens/lens-view.tsx'

/** A recording as the log would hold it: each entry knows how many records were read by then. */
function entriesOf(format: string, { records }: Recording): readonly Entry[] {
  const parser = parsers[format as keyof typeof parsers]
  const [reader, stamp] = [createReader(parser), createStamp()]
  const entries: Entry[] = []
  for (const [index, record] of records.entries())
    for (const event of reader.push(record)) entries.push(stamp(event, index + 1))
  for (const event of reader.end()) entries.push(stamp(event, records.length))
  return entries
}

const nothing = async () => undefined
const idle = () => undefined
const run = { id: 'run', threadId: 'thread', state: 'live', seq: 0 } as const

interface Drawn {
  readonly recording: Recording
  readonly station: Station
  readonly entries: readonly Entry[]
  readonly chatEvents: readonly ChatEvent[]
  /** All that the run will have: more than is drawn when one travels back. */
  readonly whole?: readonly Entry[]
}

/** What the lens draws of the newest piece before any timer has run. */
function htmlOf({ recording: { records }, station, entries, chatEvents, whole = entries }: Drawn): string {
  const subject = lensSubject(chatEvents, { isFollowing: true })
  if (subject === undefined) return ''
  const links = createPieceEntries()
  links.push(whole)
  const texts = { get: (number: number) => records[number], failure: idle, want: idle }
  const acts = { onEntry: idle, onHover: idle, onReaderScroll: idle, onCopyLink: nothing, onSave: nothing }
  const view = { subject, entries, links, records: texts, run, station, arrivalOf: idle, ...acts }
  return renderToStaticMarkup(createElement(LensView, view))
}

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

// The records are drawn with the events.
describe.each(stations.slice(1))('the lens at its %s, over every recording', (station) => {
  it('draws the same in the middle and at the end, live and after travelling back in the stored run', () => {
    let drawn = 0
    for (const [format] of Object.entries(parsers)) {
      for (const recording of fixturesOf(format)) {
        const entries = entriesOf(format, recording)
        const stored = throughJson(entries)
        const lengths = prefixesOf(entries.length)
        const live = createFold()
        for (const [index, entry] of entries.entries()) {
          live.push([entry])
          if (!lengths.has(index + 1)) continue
          const now = {
            recording,
            station,
            entries: entries.slice(0, index + 1),
            chatEvents: live.snapshot().chatEvents,
          }
          const then = { ...now, entries: stored.slice(0, index + 1) }
          const [liveHtml, html] = [
            htmlOf(now),
            htmlOf({ ...then, chatEvents: fold(then.entries).chatEvents, whole: stored }),
          ]
          if (liveHtml !== '') drawn++
          if (html !== liveHtml) expect(html, `${recording.name} after ${index + 1}`).toBe(liveHtml)
        }
      }
    }
    expect(drawn).toBeGreaterThan(1_000)
  }, 240_000)
})

/** Half of each run, and its last entries: a wire is played from the first entry for each prefix. */
const prefixesOf = (length: number) => new Set([Math.ceil(length / 2), length - 1, length])
