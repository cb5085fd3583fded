import type { Stage } from './mutant.ts'

const server = 'packages/server/src/api'

/** The routes that load. */
export const loading: Stage = {
  name: 'loading',
  tests: [
    'packages/server/test/load-chat.test.ts',
    'packages/server/test/load-ag-ui.test.ts',
    'packages/server/test/load-tanstack.test.ts',
    'packages/server/test/load-rows.test.ts',
  ],
  mutants: [
    {
      file: `${server}/message-rows.ts`,
      find: 'lineageOf(await log.runs(threadId))',
      replace: 'await log.runs(threadId)',
      promise: 'the rows of a thread are those of its current branch',
    },
    {
      file: `${server}/message-rows.ts`,
      find: '  if (outcome === undefined) return questions\n',
      replace: '',
      promise: 'an answer that is under way has no row',
    },
    {
      file: `${server}/message-rows.ts`,
      find: 'isText(clientId) ? clientId : id',
      replace: 'id',
      promise: 'the row of a question has the id that the client gave it',
    },
    {
      file: `${server}/ag-ui/hydration.ts`,
      find: 'hasLive: pause !== undefined',
      replace: 'hasLive: false',
      promise: 'TanStack loads the call that a run asks about',
    },
    {
      file: `${server}/ag-ui/hydration.ts`,
      find: 'live !== undefined && pause === undefined',
      replace: 'live !== undefined',
      promise: 'TanStack joins no run that waits for an answer',
    },
    {
      file: `${server}/ag-ui/tanstack-messages.ts`,
      find: "const state = hasFailed ? 'error' : 'complete'",
      replace: "const state = 'complete'",
      promise: 'a call that failed looks failed when TanStack has loaded it',
    },
    {
      file: `${server}/ag-ui/tanstack-messages.ts`,
      find: "    if (thoughts !== undefined && role === 'assistant') shown.pop()\n",
      replace: '',
      promise: 'TanStack loads a thought once',
    },
    {
      file: `${server}/routes/ag-ui.ts`,
      find: "context.req.header('last-event-id') || offset",
      replace: 'offset',
      promise: 'a client that joins a run and is cut off gets what follows its cursor',
    },
    {
      file: `${server}/history.ts`,
      find: 'const branch = lineageOf(await log.runs(threadId))',
      replace: 'const branch = await log.runs(threadId)',
      promise: 'only the current branch is loaded',
    },
    {
      file: `${server}/history.ts`,
      find: 'spansRuns ? await messageIdOf(log, live) : live.id',
      replace: 'live.id',
      promise: 'a live message that began in an earlier run is not loaded',
    },
    {
      file: `${server}/history.ts`,
      find: '    if ((await messageIdOf(log, first)) === first.id) break\n    start--\n',
      replace: '    break\n',
      promise: 'a page cuts no message in two',
    },
    {
      file: `${server}/chat/conversation.ts`,
      find: 'liveIn(runs) ?? lineageOf(runs).at(-1)',
      replace: 'liveIn(runs)',
      promise: 'an answer that was cut off is whole again after its end',
    },
    {
      file: `${server}/ag-ui/snapshot.ts`,
      find: 'hasLive: outcome !== undefined',
      replace: 'hasLive: false',
      promise: 'the call that a run asks about is loaded with the question',
    },
    {
      file: `${server}/ag-ui/snapshot.ts`,
      find: '...(outcome && { outcome })',
      replace: '...{}',
      promise: 'an open question is loaded',
    },
  ],
}
