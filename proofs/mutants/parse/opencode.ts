import type { Mutant } from '../mutant.ts'

const opencode = 'packages/core/src/parse/opencode'

export const mutants: readonly Mutant[] = [
  {
    file: `${opencode}/growing-texts.ts`,
    find: 'return text.slice(before.length)',
    replace: 'return text',
    promise: 'only what is new of a growing part is emitted',
  },
  {
    file: `${opencode}/sessions.ts`,
    find: 'return id === main ? undefined : id',
    replace: 'return undefined',
    promise: 'the messages of a subagent are not those of the main agent',
  },
  {
    file: `${opencode}/parts.ts`,
    find: 'inputTokens: sum(input, cache?.read, cache?.write)',
    replace: 'inputTokens: sum(input)',
    promise: 'cache reads and writes count as input',
  },
  {
    file: `${opencode}/failures.ts`,
    find: "if (/rejected permission|dismissed this question/i.test(error)) return 'denied'\n",
    replace: '',
    promise: 'a call that was denied did not fail',
  },
  {
    file: `${opencode}.ts`,
    find: 'dialect !== undefined && eventDialect !== dialect',
    replace: 'dialect !== undefined && eventDialect === undefined',
    promise: 'what arrives in two dialects is read once',
  },
]
