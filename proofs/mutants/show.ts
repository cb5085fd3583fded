import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/show'

/** The second server of the page of formats. */
export const show: Stage = {
  name: 'the show of formats',
  tests: ['packages/server/test/show'],
  mutants: [
    {
      file: `${folder}/show.ts`,
      find: 'const done = last.then(act)',
      replace: 'const done = act()',
      promise: 'one child at a time',
    },
    {
      file: `${folder}/child-server.ts`,
      find: "victim.kill('SIGKILL')\n    await gone",
      replace: "victim.kill('SIGKILL')",
      promise: 'a kill resolves when the process is gone',
    },
    {
      file: `${folder}/child-server.ts`,
      find: 'await kill()\n      await rm(folder, { recursive: true, force: true })',
      replace: 'await kill()',
      promise: 'nothing of a show is left',
    },
    {
      file: `${folder}/feed.ts`,
      find: 'for (let index = from;',
      replace: 'for (let index = 0;',
      promise: 'a program goes on where the log ends',
    },
  ],
}
