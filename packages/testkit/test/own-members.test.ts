import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

/** The sentences of failed tests, by suite and promise. */
type Failures = { [suite: string]: { [promise: string]: string } }

/** What `node --test` finds in a file, as vitest did not run it. */
async function judged(path: string): Promise<{ readonly failures: Failures; readonly passed: number }> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_)/.test(name))
  const options = { env: { ...Object.fromEntries(own), CI: '1' }, maxBuffer: 64 * 1024 * 1024 }
  const args = ['--test', '--test-reporter', 'tap', fileURLToPath(new URL(path, import.meta.url))]
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { readonly stdout: string }) => error,
  )
  return { failures: failuresIn(stdout.split('\n')), passed: Number(/^# pass (\d+)/m.exec(stdout)?.[1]) }
}

function failuresIn(lines: readonly string[]): Failures {
  const failures: Failures = {}
  let suite = ''
  for (const [index, line] of lines.entries()) {
    suite = /^# Subtest: (.*)/.exec(line)?.[1] ?? suite
    const [, promise] = /^ {4}not ok \d+ - (.*)/.exec(line) ?? []
    if (promise === undefined) continue
    const details = lines.slice(index, index + 12).join('\n')
    const [, sentence = ''] = /error: (?:\|-\s+|['"]?)(.*)/.exec(details) ?? []
    failures[suite] = { ...failures[suite], [promise]: sentence }
  }
  return failures
}

/** For each suite of `judged/members.ts`, a promise that it breaks, and what the failure says. */
const refusals: { readonly [suite: string]: readonly [promise: string, sentence: string] } = {
  'parse: without recordings': ['has a recording, and records in each', 'it has no recording'],
  'parse: with an empty recording': ['has a recording, and records in each', 'empty: it has no records'],
  'parse: silent about text': ['loses no sentence that a record holds', 'gauge: lost: "I read the '],
  'parse: with one state for all instances': ['is not changed by a second instance beside it', '.meta.own.count is'],
  'parse: with a clock': ['is deterministic: no clock, no randomness', 'again, without a clock'],
  'parse: recognised by nothing': ['is recognised by its own recordings', 'taken for nothing'],
  'parse: with a false loss': ['carries nothing that it declares as lost', '"usage" is declared as lost'],
  'wire: without runs': ['has runs, and declares its client or why there is none', 'it has no run with an entry'],
  'wire: with an empty run': ['has runs, and declares its client or why there is none', 'it has no run with an entry'],
  'wire: without facts': ['has runs, and declares its client or why there is none', 'it has no facts'],
  'wire: that never ends': ['ends what it began, once, wherever the run is cut', 'it begins and ends as'],
}

describe('a suite under `node --test`', () => {
  it('passes a parser that keeps its promises', async () => {
    const { failures, passed } = await judged('../../../examples/own-parser/toolshed.test.ts')
    expect(failures).toEqual({})
    expect(passed).toBeGreaterThan(15)
  })

  it('refuses a member for the promise that it breaks, in a sentence', async () => {
    const { failures } = await judged('./judged/members.ts')
    expect(Object.keys(failures).toSorted()).toEqual(Object.keys(refusals).toSorted())
    for (const [suite, [promise, sentence]] of Object.entries(refusals)) {
      expect(failures[suite]?.[promise], `${suite}: ${promise}`).toContain(sentence)
    }
  })
})
