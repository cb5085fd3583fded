import type { Mutant } from '../mutant.ts'

const interactions = 'packages/core/src/parse/gemini-interactions'

export const mutants: readonly Mutant[] = [
  {
    file: `${interactions}/prose.ts`,
    find: "kind === 'reasoning' ? { signature } : keep({ thoughtSignature: signature })",
    replace: 'keep({ thoughtSignature: signature })',
    promise: 'a thought keeps its signature',
  },
  {
    file: `${interactions}/calls.ts`,
    find: "typeof before === 'string' && typeof more === 'string' ? before + more",
    replace: "typeof before === 'string' && typeof more === 'string' ? more",
    promise: 'a result that arrives in parts is joined',
  },
  {
    file: `${interactions}/usage.ts`,
    find: 'lastCounts !== undefined) return []',
    replace: 'lastCounts === undefined) return []',
    promise: 'the usage of a step counts if no event has the sum',
  },
  {
    file: `${interactions}.ts`,
    find: 'return all.slice(target.seen).flatMap(',
    replace: 'return all.flatMap(',
    promise: 'the final record does not repeat streamed steps',
  },
  {
    file: `${interactions}.ts`,
    find: "...(step.type === 'user_input' ? [] : begin(target))",
    replace: '...begin(target)',
    promise: 'the message of the user comes before that of the model',
  },
  {
    file: `${interactions}/endings.ts`,
    find: "['requires_action', 'awaiting-input']",
    replace: "['requires_action', 'success']",
    promise: 'an interaction with a function call awaits its result',
  },
  {
    file: 'packages/core/src/parse/gemini-interactions.ts',
    find: 'target.seen = Math.max(target.seen, index + 1)',
    replace: 'target.seen = index + 1',
    promise: 'steps that start out of order are not repeated at the end',
  },
  {
    file: 'packages/core/src/parse/gemini-interactions.ts',
    find: 'failure ??= cause',
    replace: 'failure = cause',
    promise: 'the first error is the reason',
  },
  {
    file: 'packages/core/src/parse/gemini-interactions/calls.ts',
    find: '[before, more].flat()',
    replace: 'more',
    promise: 'no piece of a result is lost',
  },
]
