import type { Mutant } from '../mutant.ts'

const geminiCli = 'packages/core/src/parse/gemini-cli'

export const mutants: readonly Mutant[] = [
  {
    file: `${geminiCli}.ts`,
    find: 'if (turn !== undefined) turn.hasResult = true',
    replace: 'if (turn !== undefined) turn.hasResult = false',
    promise: 'what the model says after results is another turn',
  },
  {
    file: `${geminiCli}.ts`,
    find: "scope: 'run',",
    replace: "scope: 'step',",
    promise: 'usage is of the whole run',
  },
  {
    file: `${geminiCli}/tools.ts`,
    find: "statuses.get(type ?? '') ?? 'error'",
    replace: "'error'",
    promise: 'a tool that was not let run is denied',
  },
  {
    file: `${geminiCli}/tools.ts`,
    find: 'const task = prompt ?? objective',
    replace: 'const task = prompt',
    promise: 'a subagent is told by old names too',
  },
]
