import type { Mutant } from '../mutant.ts'

const geminiCli = 'packages/core/src/parse/gemini-cli'

export const mutants: readonly Mutant[] = [
  {
    file: `${geminiCli}.ts`,
    find: 'hasResult = true',
    replace: 'hasResult = false',
    promise: 'text of the model after results is another turn',
  },
  {
    file: `${geminiCli}.ts`,
    find: "scope: 'run',",
    replace: "scope: 'step',",
    promise: 'usage is of the whole run',
  },
  {
    file: `${geminiCli}.ts`,
    find: "statuses.get(error?.type ?? '') ?? 'error'",
    replace: "'error'",
    promise: 'a tool that was not allowed to run is denied',
  },
  {
    file: `${geminiCli}.ts`,
    find: 'const task = prompt ?? objective',
    replace: 'const task = prompt',
    promise: 'a subagent is recognised by the old tool names too',
  },
  {
    file: `${geminiCli}.ts`,
    find: "typeof agent_name === 'string' ? agent_name : name",
    replace: 'String(agent_name)',
    promise: 'an agent without a name has that of its tool',
  },
]
