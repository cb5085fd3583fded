import type { Stage } from './mutant.ts'

/** Bugs by which a suite would pass a member that breaks its promise, or could not be used by others. */
export const testkit: Stage = {
  name: 'testkit',
  tests: ['packages/testkit', 'test/entry-points.test.ts'],
  mutants: [
    {
      file: 'packages/testkit/src/golden.ts',
      find: 'else yield `its golden file is missing: run the tests once without CI, read ${golden} and commit it`',
      replace: '',
      promise: 'a missing golden file fails with CI set',
    },
    {
      file: 'packages/testkit/src/golden.ts',
      find: 'process.env.CI === undefined',
      replace: 'true',
      promise: 'no golden file is written with CI set',
    },
    {
      file: 'packages/testkit/src/golden.ts',
      find: 'if (existsSync(golden)) yield',
      replace: 'if (existsSync(golden) && process.env.CI !== undefined) yield',
      promise: 'a golden file that exists is compared, and never written again',
    },
    {
      file: 'packages/testkit/src/golden.ts',
      find: "    .filter((line) => line !== '')\n",
      replace: '',
      promise: 'the golden file of a stream without events can be read',
    },
    {
      file: 'packages/testkit/src/parser-suite.ts',
      find: "if (recordings.length === 0) return ['it has no recording: record a stream of the format']",
      replace: '',
      promise: 'a parser without recordings fails',
    },
    {
      file: 'packages/testkit/src/parser-suite.ts',
      find: 'records.length === 0)',
      replace: 'records === undefined)',
      promise: 'a recording without records fails',
    },
    {
      file: 'packages/testkit/src/wire-suite.ts',
      find: "...(hasEntries ? [] : ['it has no run with an entry: pass some, such as those of @millrace/testkit/runs']),",
      replace: '',
      promise: 'a wire without runs fails',
    },
    {
      file: 'packages/testkit/src/wire-suite.ts',
      find: 'runs.some(({ entries }) => entries.length > 0)',
      replace: 'runs.length > 0',
      promise: 'a wire whose runs are empty fails',
    },
    {
      file: 'packages/testkit/src/wire-suite.ts',
      find: "...(facts === undefined ? ['it has no facts: pass them as the fourth argument'] : []),",
      replace: '',
      promise: 'a wire without facts fails',
    },
    {
      file: 'packages/testkit/src/expectation.ts',
      find: 'if (problems.length === 0) return',
      replace: 'return',
      promise: 'a law that is broken fails',
    },
    {
      file: 'packages/testkit/src/expectation.ts',
      find: "throw failure(problems.join('\\n'), expectNone)",
      replace: "throw failure('it fails', expectNone)",
      promise: 'a failure says what is wrong',
    },
    {
      file: 'packages/testkit/src/expectation.ts',
      find: 'judge(same(plain(actual), plain(expected), when), expectation.toEqual)',
      replace: 'judge(same(actual, expected, when), expectation.toEqual)',
      promise: 'toEqual takes an undefined field as absent',
    },
    {
      file: 'packages/testkit/src/expectation.ts',
      find: 'judge(same(actual, expected, when), expectation.toStrictEqual)',
      replace: 'judge(same(plain(actual), plain(expected), when), expectation.toStrictEqual)',
      promise: 'toStrictEqual tells an undefined field from an absent one',
    },
    {
      file: 'packages/testkit/src/expectation.ts',
      find: 'if (Array.isArray(value)) return value.map(plain)\n',
      replace: '',
      promise: 'toEqual looks into arrays',
    },
    {
      file: 'packages/testkit/src/expectation.ts',
      find: 'judge(Object.is(actual, expected) ? undefined : notTheSame(actual, expected, when), expectation.toBe)',
      replace: 'judge(same(actual, expected, when), expectation.toBe)',
      promise: 'toBe tells equal objects apart',
    },
    {
      file: 'packages/testkit/src/verdicts.ts',
      find: 'value instanceof Error ? String(value) : ',
      replace: '',
      promise: 'an error is shown by its message',
    },
    {
      file: 'packages/testkit/src/runner.ts',
      find: 'process.env.VITEST === undefined ? nodeRunner() : vitestRunner()',
      replace: 'vitestRunner()',
      promise: 'the suites run without vitest',
    },
    {
      file: 'packages/testkit/src/recordings.ts',
      find: "import { fileURLToPath } from 'node:url'\n",
      replace: "import { fileURLToPath } from 'node:url'\nimport '../repository/fixtures.ts'\n",
      promise: 'the package needs no recording of this repository',
    },
    {
      file: 'packages/testkit/src/recordings.ts',
      find: 'if (!existsSync(path)) throw new Error(`recordingsIn: the folder "${path}" does not exist.`)',
      replace: 'if (!existsSync(path)) return []',
      promise: 'a folder that does not exist is named',
    },
    {
      file: 'packages/testkit/src/recordings.ts',
      find: 'if (!(bytes instanceof Uint8Array)) {',
      replace: 'if (bytes === undefined) {',
      promise: 'a recording of something else than bytes is refused',
    },
    {
      file: 'packages/testkit/src/recordings.ts',
      find: "file.slice(0, file.lastIndexOf('.'))}.golden",
      replace: 'file}.golden',
      promise: 'a golden file has the name of its recording',
    },
  ],
}
