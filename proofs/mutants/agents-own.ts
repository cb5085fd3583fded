import type { Stage } from './mutant.ts'

const run = 'packages/server/src/run'

/** Bugs in the agents that need no program of others. */
export const ownAgents: Stage = {
  name: 'own agents',
  tests: ['packages/server/test/demo.test.ts'],
  mutants: [
    {
      file: `${run}/demo/quote.ts`,
      find: String.raw`replace(/[\\${'`'}*_[\]<>|~&$]/g, '\\$&')`,
      replace: "replace(/^$/, '')",
      promise: 'what a person wrote is repeated as text, not as Markdown',
    },
    {
      file: `${run}/demo.ts`,
      find: 'if (first === undefined) {',
      replace: 'if (first === undefined || first !== undefined) {',
      promise: 'a second question is answered otherwise',
    },
    {
      file: `${run}/demo/errand.ts`,
      find: "answer?.state === 'approved' ? written(answer.input) : refused(answer)",
      replace: 'written(undefined)',
      promise: 'a denied file is not written',
    },
    {
      file: `${run}/demo/errand.ts`,
      find: '...(isJsonObject(changed) ? changed : {})',
      replace: '',
      promise: 'a file that the person has changed is written as changed',
    },
    {
      file: `${run}/demo.ts`,
      find: 'if (!request.signal.aborted) throw error',
      replace: 'throw error',
      promise: 'the demo can be stopped in a pause',
    },
    {
      file: `${run}/demo/picture.ts`,
      find: '(sum ^ 0xffffffff) >>> 0',
      replace: 'sum >>> 0',
      promise: 'the picture is a valid PNG',
    },
  ],
}
