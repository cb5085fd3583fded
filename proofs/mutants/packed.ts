import type { Stage } from './mutant.ts'

/** What is packed, and how it finds its parts. */
export const packed: Stage = {
  name: 'packed',
  tests: ['test/packed.test.ts', 'test/entry-points.test.ts'],
  mutants: [
    {
      file: 'scripts/pack/manifest.ts',
      find: "filter(([path]) => !path.includes('*'))",
      replace: 'filter(() => true)',
      promise: 'a packed package opens its entry points alone',
    },
    {
      file: 'scripts/pack/manifest.ts',
      find: 'devDependencies: _development, ...rest',
      replace: '...rest',
      promise: 'nothing for development is packed',
    },
    {
      file: 'scripts/pack/manifest.ts',
      find: 'types: typesOf(built), default: built',
      replace: 'types: built, default: built',
      promise: 'an entry point names its declarations',
    },
    {
      file: 'scripts/pack/build.ts',
      find: 'from|import|new URL',
      replace: 'from|import',
      promise: 'a packed worker is found',
    },
    {
      file: 'scripts/pack/build.ts',
      find: "'../src/main.ts', '../dist/main.js'",
      replace: "'../src/main.ts', '../src/main.js'",
      promise: 'the packed command starts',
    },
    {
      file: 'packages/millrace/src/commands/serve.ts',
      find: "new URL('../../app', import.meta.url), ",
      replace: '',
      promise: 'the packed command carries its app',
    },
    {
      file: 'packages/core/package.json',
      find: '    "./fold": "./src/public/fold.ts",\n',
      replace: '',
      promise: 'what other packages import is an entry point',
    },
  ],
}
