import { allParsers, parsers } from '@millrace/core/parse'
import { DETECT_WITHIN, detectFormat } from '@millrace/core/parse/detect'
import type { Recording } from '@millrace/testkit/recordings'
import { corpusOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'

const RIGHT = 0.99
const MOST_UNSURE = 1

interface Findings {
  readonly right: number
  readonly unsure: readonly string[]
  readonly wrong: readonly string[]
}

const found = new Map<string, Findings>()

/** What the recordings of a format are detected as. Each is detected once, for all tests. */
function findingsOf(name: string, recordings: readonly Recording[]): Findings {
  const before = found.get(name)
  if (before !== undefined) return before
  const unsure: string[] = []
  const wrong: string[] = []
  for (const recording of recordings) {
    const { format, reason } = detectFormat(allParsers(), recording.records.slice(0, DETECT_WITHIN))
    const isRightlyUnsure = recording.detectedAs === null && format === undefined
    if (format !== name && !isRightlyUnsure)
      (format === undefined ? unsure : wrong).push(`${recording.name}: ${format ?? 'unsure'}, ${reason}`)
  }
  const findings = { right: recordings.length - unsure.length - wrong.length, unsure, wrong }
  found.set(name, findings)
  return findings
}

/** Over streams of others. Our own fixtures are part of each parser's suite. */
describe('detection', () => {
  const corpora = Object.keys(parsers).map((name) => ({ name, corpus: corpusOf(name) }))
  const present = corpora.flatMap(({ name, corpus }) =>
    'absent' in corpus ? [] : [{ name, recordings: corpus.recordings }],
  )
  for (const { name, corpus } of corpora) {
    if ('absent' in corpus) it.skip(`names ${name}: ${corpus.absent}`, () => {})
  }

  it.each(present)('names $name from its first records, or is unsure, and is never wrong', (each) => {
    const { unsure, wrong } = findingsOf(each.name, each.recordings)
    expect(wrong).toEqual([])
    expect(unsure.slice(MOST_UNSURE)).toEqual([])
  })

  const promise = `is right for at least ${RIGHT * 100} % of all recordings`
  if (present.length === 0) it.skip(`${promise}: there is no corpus`, () => {})
  else {
    it(promise, () => {
      const all = present.reduce((count, { recordings }) => count + recordings.length, 0)
      const right = present.reduce((count, each) => count + findingsOf(each.name, each.recordings).right, 0)
      expect(right / all).toBeGreaterThanOrEqual(RIGHT)
    })
  }
})
