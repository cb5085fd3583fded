import type { Mutant } from '../mutant.ts'

const smolagents = 'packages/core/src/parse/smolagents'

export const mutants: readonly Mutant[] = [
  {
    file: `${smolagents}/step.ts`,
    find: "decide(out, 'planning')",
    replace: "decide(out, 'action')",
    promise: 'text before a plan is the plan',
  },
  {
    file: `${smolagents}/step.ts`,
    find: "if (isStreamed) decide(out, 'action')",
    replace: "isStreamed = true\n    decide(out, 'action')",
    promise: 'a step that was not streamed has its text before its calls',
  },
  {
    file: `${smolagents}.ts`,
    find: 'step === undefined && number === lastNumber',
    replace: 'step === undefined && number === -1',
    promise: 'a step that arrives twice is emitted once',
  },
  {
    file: `${smolagents}/calls.ts`,
    find: 'named.length > 0 ? named.slice(0, 1) : open',
    replace: 'open',
    promise: 'an error fails the call that it names',
  },
  {
    file: `${smolagents}/step.ts`,
    find: 'counted?.input_tokens ?? usage.inputTokens,',
    replace: '(counted?.input_tokens ?? 0) + (usage.inputTokens ?? 0),',
    promise: 'usage is never doubled',
  },
  {
    file: `${smolagents}.ts`,
    find: 'const out = answer === undefined ? release() : []',
    replace: 'const out: Out = []',
    promise: 'what is held back is emitted at the end',
  },
  {
    file: 'packages/core/src/parse/smolagents/calls.ts',
    find: 'named.slice(0, 1)',
    replace: 'named',
    promise: 'of two calls of one name only the first failed',
  },
  {
    file: 'packages/core/src/data/image-type.ts',
    find: "['R0lGOD', 'image/gif'],",
    replace: '',
    promise: 'a GIF is an image',
  },
  {
    file: 'packages/core/src/parse/smolagents/step.ts',
    find: 'lastTexts = texts',
    replace: 'lastTexts = lastTexts.length === 0 ? texts : lastTexts',
    promise: 'the third step keeps only messages that are new',
  },
  {
    file: 'packages/core/src/parse/smolagents/step.ts',
    find: 'end(out, {}, { action_output: output === answer ?',
    replace: 'end(out, {}, { action_output: output !== answer ?',
    promise: 'the output of a step that no record ends is kept',
  },
]
