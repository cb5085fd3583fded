import type { Mutant } from '../mutant.ts'

const interactions = 'packages/core/src/parse/gemini-interactions'

export const mutants: readonly Mutant[] = [
  {
    file: `${interactions}/steps.ts`,
    find: "? { signature, ...keep('google', { thought: true }) }",
    replace: "? keep('google', { thought: true })",
    promise: 'a thought keeps its signature',
  },
  {
    file: `${interactions}/calls.ts`,
    find: "typeof before === 'string' && typeof more === 'string' ? before + more",
    replace: "typeof before === 'string' && typeof more === 'string' ? more",
    promise: 'a result that arrives in parts is joined',
  },
  {
    file: `${interactions}/interaction.ts`,
    find: "(mode === 'add' && lastCounts !== undefined)) return",
    replace: "(mode === 'add' && lastCounts === undefined)) return",
    promise: 'the usage of a step counts if no event has the sum',
  },
  {
    file: `${interactions}/interaction.ts`,
    find: 'all.slice(seen)',
    replace: 'all',
    promise: 'the final record does not repeat streamed steps',
  },
  {
    file: `${interactions}/interaction.ts`,
    find: "if (step.type !== 'user_input') begin(out)",
    replace: 'begin(out)',
    promise: 'the message of the user comes before that of the model',
  },
  {
    file: 'packages/core/src/parse/gemini-interactions/interaction.ts',
    find: 'seen = Math.max(seen, index + 1)',
    replace: 'seen = index + 1',
    promise: 'steps that start out of order are not repeated at the end',
  },
  {
    file: 'packages/core/src/parse/gemini-interactions.ts',
    find: 'failure ??= error',
    replace: 'failure = error',
    promise: 'the first error is the reason',
  },
  {
    file: 'packages/core/src/parse/gemini-interactions/calls.ts',
    find: '[before, more].flat()',
    replace: 'more',
    promise: 'no piece of a result is lost',
  },
  {
    file: 'packages/core/src/parse/gemini-interactions/calls.ts',
    find: 'out.push(...resultFiles(result, callId), ...sourcesOf(',
    replace: 'out.push(...sourcesOf(',
    promise: 'an image in the result of a tool is a file',
  },
]
