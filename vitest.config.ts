import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than 15 seconds, longest first. Begun last, they would leave a core idle. */
const LONG = [
  'test/faults',
  'test/conformance-wires',
  'test/corpus',
  'test/conformance',
  'test/browser/page',
  'test/log',
  'test/bus',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at === -1 ? LONG.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  test: {
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', 'examples/*/*.test.ts', 'test/**/*.test.ts'],
    // Starts nothing by itself.
    globalSetup: ['packages/testkit/repository/servers/vitest.setup.ts'],
    // The default leaves a core idle, which on two cores is half of them.
    maxWorkers: '100%',
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
})
