import type { Mutant } from '../mutant.ts'

const acp = 'packages/core/src/parse/acp'

export const mutants: readonly Mutant[] = [
  {
    file: `${acp}/prose.ts`,
    find: 'if (open?.key === key) return { block: open, events: [] }\n',
    replace: '',
    promise: 'chunks of one kind are one block',
  },
  {
    file: `${acp}/tools.ts`,
    find: 'if (isFull) call.input = rawInput as Json',
    replace: 'if (isFull) call.input ??= {}',
    promise: 'the last input before a call runs is its input',
  },
  {
    file: `${acp}/tools.ts`,
    find: "call.isDenied && isFailed ? 'denied' : isFailed",
    replace: 'isFailed',
    promise: 'a call that was refused is denied, not failed',
  },
  {
    file: `${acp}/rpc.ts`,
    find: "const isDenied = decision !== 'selected' || /reject|deny|disallow/i.test(kind)",
    replace: "const isDenied = decision !== 'selected'",
    promise: 'the kind of an option decides what it means',
  },
  {
    file: `${acp}.ts`,
    find: "if (typeof parent === 'string') return { agentId: parent }\n",
    replace: '',
    promise: 'content of a subagent is not content of the main agent',
  },
]
