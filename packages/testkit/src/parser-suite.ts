import type { Parser } from '@millrace/core/parse'
import { conserveLaw } from './conserve.ts'
import { expectNone } from './expectation.ts'
import { goldenLaw } from './golden.ts'
import { type Effort, thorough, violationsOf } from './law.ts'
import { type ParserCase, parserLaws } from './parser-laws.ts'
import type { Recording } from './recordings.ts'
import { describe, it } from './runner.ts'

/** Tests the promises of every parser over recordings of its format, whose name is `name`. */
export function parserSuite(
  name: string,
  parser: Parser,
  recordings: readonly Recording[],
  effort: Effort = thorough,
): void {
  const cases = recordings.map((recording): ParserCase => ({ name: recording.name, format: name, parser, recording }))
  describe(`parse: ${name}`, () => {
    it('has a recording, and records in each', () => expectNone(emptiness(recordings)))
    for (const law of [goldenLaw, ...parserLaws, conserveLaw])
      it(law.promise, () => expectNone(violationsOf(law, cases, effort, lengthOf)))
  })
}

/** No law can be broken over nothing: it must not look as if it were kept. */
function emptiness(recordings: readonly Recording[]): readonly string[] {
  if (recordings.length === 0) return ['it has no recording: record a stream of the format']
  return recordings.filter(({ records }) => records.length === 0).map(({ name }) => `${name}: it has no records`)
}

const lengthOf = ({ recording }: ParserCase): number => recording.records.length
