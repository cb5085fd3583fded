import type { Parser } from '@millrace/core/parse'
import { describe, expect, it } from 'vitest'
import { conserveLaw } from './conserve.ts'
import type { Recording } from './fixtures.ts'
import { goldenLaw } from './golden.ts'
import { type Effort, thorough, violationsOf } from './law.ts'
import { type ParserCase, parserLaws } from './parser-laws.ts'

/** Tests the promises of every parser over recordings of its framework. */
export function parserSuite(
  name: string,
  parser: Parser,
  recordings: readonly Recording[],
  effort: Effort = thorough,
): void {
  const cases = recordings.map((recording): ParserCase => ({ name: recording.name, format: name, parser, recording }))
  describe(`parse: ${name}`, () => {
    it('has a recording', () => expect(recordings.length).toBeGreaterThan(0))
    for (const law of [goldenLaw, ...parserLaws, conserveLaw])
      it(law.promise, () => expect(violationsOf(law, cases, effort, lengthOf)).toEqual([]))
  })
}

const lengthOf = ({ recording }: ParserCase): number => recording.records.length
