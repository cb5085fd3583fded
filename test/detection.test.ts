import { allFrameworks, frameworks } from '@millrace/core/parse'
import { DETECT_WITHIN, detectFormat } from '@millrace/core/parse/detect'
import { corpusOf } from '@millrace/testkit/fixtures'
import { describe, expect, it } from 'vitest'

const RIGHT = 0.99
const MOST_UNSURE = 1

/** Over streams that nobody here wrote. Our own fixtures are looked at in each parser's suite. */
describe('detection', () => {
  const tally = { right: 0, all: 0 }
  for (const name of Object.keys(frameworks)) {
    const corpus = corpusOf(name)
    if ('absent' in corpus) {
      it.skip(`names ${name}: ${corpus.absent}`, () => {})
      continue
    }
    it(`names ${name} from its first records, says where it is unsure, and is never wrong`, () => {
      const unsure: string[] = []
      const wrong: string[] = []
      for (const recording of corpus.recordings) {
        const { format, reason } = detectFormat(allFrameworks(), recording.records.slice(0, DETECT_WITHIN))
        tally.all++
        if (format === name) tally.right++
        else (format === undefined ? unsure : wrong).push(`${recording.name}: ${format ?? 'unsure'}, ${reason}`)
      }
      expect(wrong).toEqual([])
      expect(unsure.slice(MOST_UNSURE)).toEqual([])
    })
  }

  it(`is right for at least ${RIGHT * 100} % of all recordings`, () => {
    if (tally.all > 0) expect(tally.right / tally.all).toBeGreaterThanOrEqual(RIGHT)
  })
})
