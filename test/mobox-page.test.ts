import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** Where the tests of the profile and of the stored row are. */
const tests = [
  'test/mobox.test.ts',
  'test/mobox-frameworks.test.ts',
  'test/mobox-recordings.test.ts',
  'packages/core/src/wire/ai-sdk/mobox.test.ts',
  'packages/core/src/wire/ai-sdk/mobox-tools.test.ts',
  'packages/core/src/fold/message-row.test.ts',
  'packages/server/src/log/sqlite.test.ts',
  'packages/server/test/run-start.test.ts',
]

const VERDICTS = /^(same|same, and more|differs|not on the wire)\b/

it('the page of the mobox profile has a verdict and the tests that prove it in every row', () => {
  const names = tests.flatMap((path) => read(path).match(/(['"`])(?:(?!\1).)*\bS0-\d+.*\1/g) ?? []).join('\n')
  const rows = read('docs/wires/mobox.md')
    .split('\n')
    .filter((row) => /^\| \d/.test(row))
    .map((row) => row.slice(2, -2).split(' | '))
  expect(rows.length).toBeGreaterThan(40)
  for (const [lines = '', , , verdict = '', proofs = ''] of rows) {
    expect([lines, VERDICTS.test(verdict)]).toEqual([lines, true])
    const ids = proofs.match(/S0-\d+/g) ?? []
    const unproven = ids.filter((id) => !new RegExp(`${id}\\b`).test(names))
    expect([lines, ids.length > 0, unproven]).toEqual([lines, true, []])
  }
})
