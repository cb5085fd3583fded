import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Finding } from './measure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const TESTS = ['test/*.test.ts', 'packages/*/{src,test}/**/*.test.ts', 'apps/*/{src,test}/**/*.test.ts']

/** How many times the cases of `npm test` are tried. */
const TIMES = 20

/** Runs the tests of properties with this seed and many times the cases; a property that is broken prints its path. */
export function tryProperties(seed: number): Finding {
  const files = TESTS.flatMap((pattern) => globSync(pattern, { cwd: root })).filter(hasProperty)
  const env = { ...process.env, MILLRACE_SEED: `${seed}`, MILLRACE_CASES: `${TIMES}` }
  const { status } = spawnSync('vitest', ['run', '--testTimeout=1800000', ...files], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  return {
    over: 'tests of properties',
    promise: `hold for ${TIMES} times the cases of \`npm test\``,
    cases: files.length,
    checks: files.length,
    broken: status === 0 ? [] : [`vitest ended with ${status}: its output names the property, the seed and the path`],
  }
}

/** The suite of the logs has properties of its own. */
const PROPERTIES = /@millrace\/testkit\/(?:property|log-suite)'/

const hasProperty = (file: string) => PROPERTIES.test(readFileSync(`${root}/${file}`, 'utf8'))
