import type { Mutant } from '../mutant.ts'

const interactions = 'packages/core/src/parse/gemini-interactions'

export const mutants: readonly Mutant[] = [
  {
    file: `${interactions}/prose.ts`,
    find: "kind === 'reasoning' ? { signature } : keep({ thoughtSignature: signature })",
    replace: 'keep({ thoughtSignature: signature })',
    promise: 'a thought is signed by its signature',
  },
  {
    file: `${interactions}/calls.ts`,
    find: "if (typeof before === 'string' && typeof more === 'string') return before + more",
    replace: "if (typeof before === 'string' && typeof more === 'string') return more",
    promise: 'a result that comes in pieces is the whole of them',
  },
  {
    file: `${interactions}/usage.ts`,
    find: 'told !== undefined) return []',
    replace: 'told === undefined) return []',
    promise: 'the usage of a step counts where nobody tells the sum',
  },
  {
    file: `${interactions}.ts`,
    find: 'return all.slice(into.seen).flatMap(',
    replace: 'return all.flatMap(',
    promise: 'steps that were streamed are not told again by the end',
  },
  {
    file: `${interactions}.ts`,
    find: "...(step.type === 'user_input' ? [] : begin(into))",
    replace: '...begin(into)',
    promise: 'the user speaks before the model',
  },
  {
    file: `${interactions}/endings.ts`,
    find: "['requires_action', 'awaiting-input']",
    replace: "['requires_action', 'success']",
    promise: 'an interaction that wants a function run awaits its result',
  },
]
