import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type NamedTest, namedTestsIn, rowsOf } from './requirements/ledger.ts'
import { unprovenIn } from './requirements/reporter.ts'

const root = `${resolve(dirname(fileURLToPath(import.meta.url)), '..')}/`
const rows = rowsOf(readFileSync(`${root}docs/requirements.md`, 'utf8'))

/** How many each of the five documents has. */
const COUNTS = [131, 37, 46, 59, 33]
const allIds = COUNTS.flatMap((count, seed) => Array.from({ length: count }, (_, index) => `S${seed}-${index + 1}`))

const FILES = ['packages/*/{src,test}/**/*.test.ts', 'packages/testkit/src/*-suite.ts', 'test/**/*.test.ts']
const namedTests: readonly NamedTest[] = globSync([...FILES, 'apps/web/test/**/*.{ts,tsx}'], { cwd: root })
  .filter((file) => file !== 'test/requirements.test.ts')
  .flatMap((file) => namedTestsIn(root, file))

describe('the requirements of the five documents', () => {
  it('have a row each, 306 in all, in their order', () => {
    expect(rows.map(({ id }) => id)).toEqual(allIds)
    expect(allIds).toHaveLength(306)
    expect(rows.filter(({ requirement }) => requirement.length < 8)).toEqual([])
  })

  it('are each shown by a test, or replaced with a reason', () => {
    expect(rows.filter(({ proofs, isReplaced }) => proofs.length === 0 && !isReplaced)).toEqual([])
    expect(rows.filter(({ proofs }) => proofs.length === 0).map(({ id }) => id)).toEqual(['S3-52'])
  })

  it('are named by tests that there are', () => {
    const missing = rows.flatMap(({ id, proofs }) =>
      proofs.filter(
        ({ file, name }) =>
          !namedTests.some((test) => test.file === file && test.name === name && test.ids.includes(id)),
      ),
    )
    expect(missing).toEqual([])
  })

  it('are the only ones that tests name', () => {
    expect(namedTests.filter(({ ids }) => ids.some((id) => !allIds.includes(id)))).toEqual([])
  })

  it('are shown by no test that is left out', () => {
    const files = new Set(rows.flatMap(({ proofs }) => proofs.map(({ file }) => file)))
    const leavingOut = [...files].filter((file) =>
      /\b(?:it|test|describe)\.(?:skip|todo|only|fails)\b/.test(readFileSync(`${root}${file}`, 'utf8')),
    )
    expect(leavingOut).toEqual([])
  })
})

/** After each run, `test/requirements/reporter.ts` compares the rows with the tests that ran. */
describe('a run of the tests', () => {
  const [file, other] = ['a.test.ts', 'b.test.ts']
  const row = { id: 'S0-1', requirement: 'words', proofs: [{ file, name: 'reads %s' }], isReplaced: false }
  const suite = { ...row, id: 'S0-2', proofs: [{ file: 'a-suite.ts', name: 'writes' }] }
  const ran = (name: string, hasPassed: boolean, of = file) => ({ file: of, name, hasPassed })

  it('proves a row whose tests have passed, whatever stands for a placeholder', () => {
    expect(unprovenIn([row], [ran('group > S0-1: reads one', true), ran('S0-1: reads two', true)])).toEqual([])
  })

  it('does not prove a row of which a test failed, was skipped, or is not there', () => {
    expect(unprovenIn([row], [ran('S0-1: reads one', true), ran('S0-1: reads two', false)])).toHaveLength(1)
    expect(unprovenIn([row], [ran('S0-1: writes one', true)])).toEqual(['S0-1: reads %s (a.test.ts)'])
  })

  it('says nothing of files that did not run, nor of suites before all of them did', () => {
    expect(unprovenIn([row], [ran('S0-1: writes', true, other)])).toEqual([])
    expect(unprovenIn([row, suite], [ran('other', true, other)])).toEqual([])
    expect(unprovenIn([row, suite], [ran('S0-1: reads one', true)])).toEqual(['S0-2: writes (a-suite.ts)'])
  })
})
