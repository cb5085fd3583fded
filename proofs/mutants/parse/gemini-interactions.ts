import type { Mutant } from '../mutant.ts'

const interactions = 'packages/core/src/parse/gemini-interactions'

export const mutants: readonly Mutant[] = [
  {
    file: `${interactions}/steps.ts`,
    find: "isThought ? { signature } : keep('google', { thoughtSignature: signature })",
    replace: "keep('google', { thoughtSignature: signature })",
    promise: 'a thought keeps its signature',
  },
  {
    file: `${interactions}/calls.ts`,
    find: "typeof before === 'string' && typeof more === 'string' ? before + more",
    replace: "typeof before === 'string' && typeof more === 'string' ? more",
    promise: 'a result that arrives in parts is joined',
  },
  {
    file: `${interactions}.ts`,
    find: "(mode === 'add' && target.lastCounts !== undefined)) return",
    replace: "(mode === 'add' && target.lastCounts === undefined)) return",
    promise: 'the usage of a step counts if no event has the sum',
  },
  {
    file: `${interactions}.ts`,
    find: '(steps ?? outputs?.map(stepOf) ?? []).slice(target.seen)',
    replace: '(steps ?? outputs?.map(stepOf) ?? [])',
    promise: 'the final record does not repeat streamed steps',
  },
  {
    file: `${interactions}.ts`,
    find: "if (step.type !== 'user_input') begin(out, target)",
    replace: 'begin(out, target)',
    promise: 'the message of the user comes before that of the model',
  },
  {
    file: 'packages/core/src/parse/gemini-interactions.ts',
    find: 'target.seen = Math.max(target.seen, index + 1)',
    replace: 'target.seen = index + 1',
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
