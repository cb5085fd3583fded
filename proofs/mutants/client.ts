import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/client'

/** The client: the status that the server sends besides the entries reaches every tab, and nothing else changes. */
export const client: Stage = {
  name: 'client',
  tests: [folder],
  mutants: [
    {
      file: `${folder}/entry-of.ts`,
      find: "value === 'server' || value === 'client'",
      replace: "typeof value === 'string'",
      promise: 'an entry has only a known maker',
    },
    {
      file: `${folder}/optimistic.ts`,
      find: "      by: 'server',\n",
      replace: '',
      promise: 'a message that is being sent looks as it will in the log',
    },
    {
      file: `${folder}/stream.ts`,
      find: 'name === RUN_STATE_EVENT ? undefined : entryOf(value)',
      replace: 'entryOf(value)',
      promise: 'a status is never read as an entry',
    },
    {
      file: `${folder}/leading-tab.ts`,
      find: "    if (runStatus !== undefined) send({ type: 'run-status', status: runStatus })\n",
      replace: '',
      promise: 'a tab that opens late gets the status of the run',
    },
    {
      file: `${folder}/run-store.ts`,
      find: '    if (isSameStatus(runState, next)) return\n',
      replace: '',
      promise: 'the view stays the same object until something has changed',
    },
    {
      file: `${folder}/run-store.ts`,
      find: "    if (hasEnded) return { ...folded, connection: 'ended' }\n",
      replace:
        "    if (hasEnded) return { ...folded, ...(runState !== undefined && { runState }), connection: 'ended' }\n",
      promise: 'a run that has ended has no status',
    },
    {
      file: `${folder}/thread-runs.ts`,
      find: "connection === 'live' && runState !== undefined",
      replace: 'runState !== undefined',
      promise: 'a stream that is cut does not overrule the server',
    },
    {
      file: `${folder}/thread-runs.ts`,
      find: "connection === 'live' && runState !== undefined",
      replace: 'runState !== undefined && false',
      promise: 'a late response does not overrule a connected stream',
    },
    {
      file: `${folder}/thread-runs.ts`,
      find: '  if (seq < info.seq) return info\n',
      replace: '',
      promise: 'a stream that catches up does not reduce the loaded totals',
    },
    {
      file: `${folder}/thread-runs.ts`,
      find: 'const current = withTotals(info, store)',
      replace: 'const current = info',
      promise: 'the totals of a live run are those of its stream',
    },
    {
      file: 'packages/core/src/client/connection.ts',
      find: '      failures = 0\n',
      replace: '',
      promise: 'a store that is started again waits as little as the first time',
    },
    {
      file: 'packages/core/src/client/connection.ts',
      find: 'hasProgressed || now - openedAt >= LONGEST_WAIT ? 1',
      replace: 'hasProgressed ? 1',
      promise: 'a connection that lasted counts as good',
    },
    {
      file: 'packages/core/src/client/connection.ts',
      find: '  function giveUp(): void {\n    cancelRetry()\n',
      replace: '  function giveUp(): void {\n',
      promise: 'a retry that is asked for replaces the one that was due',
    },
    {
      file: 'packages/core/src/client/thread-store.ts',
      find: '    publisher.publish()',
      replace: '    publisher.changed()',
      promise: 'a reload has ended when the snapshot has what was read',
    },
    {
      file: 'packages/core/src/client/thread-store.ts',
      find: 'lastPost = sent.catch(() => {})',
      replace: 'lastPost = sent',
      promise: 'a message can be sent after a refused one',
    },
    {
      file: 'packages/core/src/client/retrying.ts',
      find: '    if (!isWanted()) throw failure\n',
      replace: '',
      promise: 'a closed store asks no more',
    },
  ],
}
