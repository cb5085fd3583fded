import type { Stage } from './mutant.ts'

const run = 'packages/server/src/run'
const workshop = 'packages/server/src/agents/workshop'

/** Bugs in the agents that need no program of others. */
export const ownAgents: Stage = {
  name: 'own agents',
  tests: ['packages/server/test/demo.test.ts', 'packages/server/test/agents-workshop.test.ts'],
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
      find: 'sleep(pause / speed, signal)',
      replace: 'sleep(pause / speed)',
      promise: 'the demo can be stopped in a pause',
    },
    {
      file: `${run}/demo/picture.ts`,
      find: '(sum ^ 0xffffffff) >>> 0',
      replace: 'sum >>> 0',
      promise: 'the picture is a valid PNG',
    },
    {
      file: `${workshop}/commands.ts`,
      find: "!line.startsWith('#') && ",
      replace: '',
      promise: 'a comment is no command',
    },
    {
      file: `${workshop}.ts`,
      find: 'if (!isOk) break',
      replace: '',
      promise: 'nothing follows a command that failed',
    },
    {
      file: `${workshop}.ts`,
      find: 'await Promise.all(background)',
      replace: '',
      promise: 'a run waits for what it started in the background',
    },
    {
      file: `${workshop}.ts`,
      find: 'const environment = () => environmentFor({ from: process.env, env: [], set: {}, runId, threadId, work })',
      replace:
        'const only = environmentFor({ from: process.env, env: [], set: {}, runId, threadId, work })\n  const environment = () => only',
      promise: 'the end of one command does not end another',
    },
    {
      file: `${workshop}/run-command.ts`,
      find: 'exec 2>&1',
      replace: ':',
      promise: 'both channels of a command are shown, in order',
    },
    {
      file: `${workshop}/run-command.ts`,
      find: "signal.addEventListener('abort', stop, { once: true })",
      replace: '',
      promise: 'a stop ends the command that runs',
    },
  ],
}
