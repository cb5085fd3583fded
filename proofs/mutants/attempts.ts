import type { Stage } from './mutant.ts'

/** Branches of a thread, what they used, and the words for how alive a run is. */
export const attempts: Stage = {
  name: 'attempts',
  tests: [
    'packages/core/src/api/lineage.test.ts',
    'packages/core/src/client/thread-past.test.ts',
    'packages/react/src/thread/new-from.test.ts',
    'packages/react/src/status/liveness.test.ts',
    'apps/web/src/thread/attempts.test.ts',
    'apps/web/src/thread/usage-rows.test.ts',
  ],
  mutants: [
    {
      file: 'packages/core/src/api/lineage.ts',
      find: "branch.has(before.get(run)?.id ?? '')",
      replace: 'before.get(run)?.id === runId',
      promise: 'a branch ends with the newest run that goes on over any number of others',
    },
    {
      file: 'packages/core/src/client/thread-store.ts',
      find: '      runs.choose(undefined)\n',
      replace: '',
      promise: 'a message that is sent shows its own branch',
    },
    {
      file: 'packages/core/src/client/thread-runs.ts',
      find: '      chosen = runId\n',
      replace: '',
      promise: 'the branch that was chosen is shown',
    },
    {
      file: 'apps/web/src/thread/attempts.ts',
      find: 'if (own === first)',
      replace: "if (own !== '')",
      promise: 'an edited question is told from a regenerated answer',
    },
    {
      file: 'apps/web/src/thread/attempts.ts',
      find: 'path.findLast(',
      replace: 'path.find(',
      promise: 'the header has the attempts of the last fork',
    },
    {
      file: 'apps/web/src/thread/usage-rows.ts',
      find: "field === 'costUsd' ? 0.000_05 : 0",
      replace: '0',
      promise: 'the rounding of a cost is no usage',
    },
    {
      file: 'apps/web/src/thread/usage-rows.ts',
      find: 'weightOf(other.usage) - weightOf(one.usage)',
      replace: 'weightOf(one.usage) - weightOf(other.usage)',
      promise: 'the model that used most is first',
    },
    {
      file: 'packages/react/src/thread/new-from.ts',
      find: 'isLater ? 0 : seen.seq',
      replace: 'seen.seq',
      promise: 'the entries of a later run are counted anew',
    },
    {
      file: 'packages/react/src/status/liveness.ts',
      find: 'silentMs >= WARNED_AFTER',
      replace: 'silentMs > 2 * WARNED_AFTER',
      promise: 'a minute of nothing is amber, and can be stopped',
    },
    {
      file: 'packages/react/src/status/liveness.ts',
      find: 'if (toolMs !== undefined) return',
      replace: 'if (toolMs !== undefined && silentMs < WARNED_AFTER) return',
      promise: 'a tool that runs long is never amber',
    },
    {
      file: 'packages/react/src/status/liveness.ts',
      find: ", action: 'continue' }",
      replace: ' }',
      promise: 'a run that broke off can be continued from its line',
    },
  ],
}

/** The same in the page of a thread. */
export const attemptsInBrowser: Stage = {
  name: 'attempts in a browser',
  tests: ['test/browser/attempts.test.ts'],
  mutants: [
    {
      file: 'apps/web/src/thread/use-branches.tsx',
      find: '      setIsSwitching(true)\n',
      replace: '',
      promise: 'what an attempt said a while ago is not announced',
    },
    {
      file: 'apps/web/src/thread/use-branches.tsx',
      find: 'if (path.every(({ id }) => id !== runId)) store.show(runId)',
      replace: '',
      promise: 'a link to an attempt that is not the newest shows that attempt',
    },
    {
      file: 'apps/web/src/thread/edit-composer.tsx',
      find: '    onEnd()\n  }\n  return',
      replace: '  }\n  return',
      promise: 'the message is written once: the field is the usual one again',
    },
    {
      file: 'apps/web/src/popover.tsx',
      find: "if (event.key === 'Escape') close()",
      replace: '',
      promise: 'the focus is at the button again when a pane is closed by Escape',
    },
  ],
}
