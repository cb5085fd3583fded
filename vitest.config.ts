import { globSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { RequirementsReporter } from './test/requirements/reporter.ts'

// The processes and threads that tests start load TypeScript, which takes longer than most of their work. The folder is
// that of `enableCompileCache`, which the command calls.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

const TESTS = ['{packages,apps}/*/{src,test}/**/*.test.ts', 'examples/*/*.test.ts', 'test/**/*.test.ts']

/**
 * What one file can change for every other file of its process: registries, globals, the environment, the clock. A file
 * that does has a process of its own; `test/unchanged-process.ts` fails one of the others that does.
 */
const CHANGES_ITS_PROCESS =
  /\bregister[A-Z]\w*\(|\bvi\.(?:stub|spyOn|mock|doMock|useFakeTimers|resetModules)|\bprocess\.(?:env\.\w+ = |chdir|on\()|\bdefineProperty\(globalThis/

/** An example is a program of its own, which may do what it likes. */
const isOwnProcess = (file: string) =>
  file.startsWith('examples/') || CHANGES_ITS_PROCESS.test(readFileSync(join(import.meta.dirname, file), 'utf8'))

const ownProcess = globSync(TESTS, { cwd: import.meta.dirname, exclude: ['**/node_modules/**'] }).filter(isOwnProcess)

/** Files that take longer than 15 seconds, longest first. Begun last, they would leave a core idle. */
const LONG = [
  'test/log',
  'test/faults',
  'test/faults-nodes',
  'test/conformance-wires',
  'test/conformance',
  'test/corpus',
  'log/postgres/faults',
  'test/browser/page',
  'test/bus',
  'test/history',
  'test/faults-agents',
  'log/postgres/wakes',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      // A process is shared by files that follow each other only.
      return at === -1 ? LONG.length + (project.config.isolate ? 0 : 1) : at
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  test: {
    // Starts nothing by itself.
    globalSetup: ['packages/testkit/repository/servers/vitest.setup.ts'],
    // A third of the time of all files is spent waiting for processes, servers and pages: one worker more than cores fills it.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    reporters: [process.env.CI ? 'default' : 'dot', new RequirementsReporter()],
    projects: [
      { extends: true, test: { name: 'own process', include: ownProcess } },
      // A process for each file costs more than most files.
      {
        extends: true,
        test: {
          name: 'shared process',
          include: TESTS,
          exclude: ['**/node_modules/**', ...ownProcess],
          isolate: false,
          setupFiles: ['test/unchanged-process.ts'],
        },
      },
    ],
  },
})
