import type { Mutant } from '../mutant.ts'

const smolagents = 'packages/core/src/parse/smolagents'

export const mutants: readonly Mutant[] = [
  {
    file: `${smolagents}/ending.ts`,
    find: "...decide(step, 'planning'),",
    replace: "...decide(step, 'action'),",
    promise: 'text before a plan is the plan',
  },
  {
    file: `${smolagents}/step.ts`,
    find: 'if (step.isStreamed) return [...shown, ...events]',
    replace: 'if (step.isStreamed || step.kind) return [...show(step), ...shown, ...events]',
    promise: 'a step that was not streamed has its text before its calls',
  },
  {
    file: `${smolagents}.ts`,
    find: 'step === undefined && raw.step_number === lastNumber',
    replace: 'step === undefined && raw.step_number === -1',
    promise: 'a step that arrives twice is emitted once',
  },
  {
    file: `${smolagents}/calls.ts`,
    find: 'named.length > 0 ? named.slice(0, 1) : open',
    replace: 'open',
    promise: 'an error fails the call that it names',
  },
  {
    file: `${smolagents}/ending.ts`,
    find: 'usage?.input_tokens ?? step.usage?.inputTokens,',
    replace: '(usage?.input_tokens ?? 0) + (step.usage?.inputTokens ?? 0),',
    promise: 'usage is never doubled',
  },
  {
    file: `${smolagents}.ts`,
    find: 'answer === undefined ? release() : finalEvents(answer.output)',
    replace: 'answer === undefined ? [] : finalEvents(answer.output)',
    promise: 'what is held back is emitted at the end',
  },
  {
    file: 'packages/core/src/parse/smolagents/calls.ts',
    find: 'named.slice(0, 1)',
    replace: 'named',
    promise: 'of two calls of one name only the first failed',
  },
  {
    file: 'packages/core/src/parse/smolagents/files.ts',
    find: "['R0lGOD', 'image/gif'],",
    replace: '',
    promise: 'a GIF is an image',
  },
  {
    file: 'packages/core/src/parse/smolagents/ending.ts',
    find: 'lastInput.texts = texts',
    replace: 'lastInput.texts = lastInput.texts.length === 0 ? texts : lastInput.texts',
    promise: 'the third step keeps only messages that are new',
  },
  {
    file: 'packages/core/src/parse/smolagents/ending.ts',
    find: '...endStep(step, {}, { texts: [] }, { action_output }),',
    replace: '...endStep(step, {}, { texts: [] }, {}),',
    promise: 'the output of a step that no record ends is kept',
  },
]
