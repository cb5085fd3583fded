import { readFileSync } from 'node:fs'
import { FORMATS_OF_SHOW } from '@millrace/core/api'
import { createFold } from '@millrace/core/fold'
import { getParser } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { agreementOf, pictureOf } from './picture.ts'

const recordingOf = (format: string) => {
  const found = fixturesOf(format).find(({ name }) => name.startsWith(`${format}/scenario.`))
  if (found === undefined) throw new Error(`fixtures/${format} has no scenario.`)
  return found
}
const runs = FORMATS_OF_SHOW.map((format) => ({
  format,
  entries: entriesOf(eventsOf(getParser(format), recordingOf(format).records)),
}))
const snapshotAt = ({ format, entries }: (typeof runs)[number], share: number) => {
  const fold = createFold({ runId: format })
  fold.push(entries.slice(0, Math.round(entries.length * share)))
  return fold.snapshot()
}

describe('one scenario in five formats', () => {
  it('has one picture, and no number of entries in common', () => {
    const { different, isWhole, pieces } = agreementOf(runs.map((run) => snapshotAt(run, 1)))
    expect({ different, isWhole, pieces }).toEqual({ different: [], isWhole: true, pieces: 9 })
    expect(new Set(runs.map(({ entries }) => entries.length)).size).toBe(runs.length)
  })

  it('agrees at every moment in what is finished everywhere, also if some are ahead', () => {
    for (let step = 0; step <= 50; step++) {
      for (const ahead of [0, 1, 2, 3, 4]) {
        const at = (index: number) => Math.min(1, step / 50 + (index === ahead ? 0.1 : 0))
        const { different } = agreementOf(runs.map((run, index) => snapshotAt(run, at(index))))
        expect(different, `at ${step} of 50, ${ahead} ahead`).toEqual([])
      }
    }
  })

  it('names the one that differs', () => {
    const snapshots = runs.map((run) => snapshotAt(run, 1))
    const [first] = snapshots
    const changed = JSON.parse(JSON.stringify(first).replace('06:12', '06:13'))
    expect(agreementOf([changed, ...snapshots.slice(1)]).different).toEqual([FORMATS_OF_SHOW[0]])
    expect(pictureOf(changed)).not.toEqual(pictureOf(snapshots[1] as never))
  })

  it('is shipped with the app as the fixtures have it', () => {
    for (const format of FORMATS_OF_SHOW) {
      const shipped = new URL(`../../public/recordings/scenario/${format}.jsonl`, import.meta.url)
      const fixture = new URL(`../../../../fixtures/${format}/scenario.jsonl`, import.meta.url)
      expect(readFileSync(shipped, 'utf8'), format).toBe(readFileSync(fixture, 'utf8'))
    }
  })
})
