import type { Mutant } from '../mutant.ts'

const opencode = 'packages/core/src/parse/opencode'

export const mutants: readonly Mutant[] = [
  {
    file: `${opencode}/growing-texts.ts`,
    find: 'return text.slice(before.length)',
    replace: 'return text',
    promise: 'a growing part tells only what is new',
  },
  {
    file: `${opencode}/sessions.ts`,
    find: 'return id === main ? undefined : id',
    replace: 'return undefined',
    promise: 'a subagent does not speak for the main agent',
  },
  {
    file: `${opencode}/parts.ts`,
    find: 'inputTokens: sum(input, cache?.read, cache?.write)',
    replace: 'inputTokens: sum(input)',
    promise: 'what the cache gave and took is input',
  },
  {
    file: `${opencode}/failures.ts`,
    find: "if (/rejected permission|dismissed this question/i.test(error)) return 'denied'\n",
    replace: '',
    promise: 'a call that was refused did not fail',
  },
  {
    file: `${opencode}.ts`,
    find: 'dialect !== undefined && eventDialect !== dialect',
    replace: 'dialect !== undefined && eventDialect === undefined',
    promise: 'what is told in two dialects is told once',
  },
]
