import type { Stage } from './mutant.ts'

const log = 'packages/server/src/log'
const run = 'packages/server/src/run'
const verify = 'packages/server/src/verify'

/** A log in which operations meet, or come again. */
export const logAgain: Stage = {
  name: 'log, again',
  tests: ['packages/server/src/log', 'test/log.test.ts'],
  only: '^(?!.* killed )',
  mutants: [
    {
      file: `${log}/tail.ts`,
      find: 'if (tail.readers === 0 && tails.get(runId) === tail) tails.delete(runId)',
      replace: 'if (tail.readers === 0) tails.delete(runId)',
      promise: 'a reader of a removed run leaves the readers of a new run with its id alone',
    },
    {
      file: `${log}/tail.ts`,
      find: 'tail.isEnded ||= stored.isEnded',
      replace: 'tail.isEnded = stored.isEnded',
      promise: 'a reader ends with a run that ends while its position is read',
    },
    {
      file: `${log}/tail.ts`,
      find: '    tail.characters -= oldest.characters\n',
      replace: '',
      promise: 'a reader that keeps up reads from memory, however much has passed',
    },
    {
      file: `${log}/sqlite/reads.ts`,
      find: "      if (run.get(runId) === undefined) throw new LogError('unknown-run', runId)\n",
      replace: '',
      promise: 'a run that is removed while its inputs are read does not look complete',
    },
    {
      file: `${log}/sqlite.ts`,
      find: "      if (closing !== undefined) throw new LogError('log-closed', 'report trouble')\n",
      replace: '',
      promise: 'a closed log answers nothing',
    },
    {
      file: `${log}/memory.ts`,
      find: 'updatedAt: Math.max(thread.updatedAt, at)',
      replace: 'updatedAt: at',
      promise: "a thread's update does not go back with the clock",
    },
  ],
}

/** Runs whose operations meet, or come again. */
export const runAgain: Stage = {
  name: 'run, again',
  tests: ['packages/server/test/run-', 'packages/server/test/verify-repeat.test.ts'],
  mutants: [
    {
      file: `${run}/run-locks.ts`,
      find: 'previous.then(act, act)',
      replace: 'previous.then(act)',
      promise: 'a lock goes to the next after a holder that throws',
    },
    {
      file: `${run}/run-locks.ts`,
      find: 'if (lastByKey.get(key) === result) lastByKey.delete(key)',
      replace: 'lastByKey.delete(key)',
      promise: 'the third user of a lock waits for the second',
    },
    {
      file: `${run}/waits.ts`,
      find: '    if (wait.signal.aborted) return\n',
      replace: '',
      promise: 'a wait that is cancelled when it ends sets no status',
    },
    {
      file: `${run}/waits.ts`,
      find: 'for (const runId of [...waits.keys()]) cancel(runId)',
      replace: 'for (const wait of waits.values()) wait.abort()',
      promise: 'closing takes the statuses of waiting runs back',
    },
    {
      file: `${run}/waits.ts`,
      find: 'if (waits.get(runId) === wait) waits.delete(runId)',
      replace: 'waits.delete(runId)',
      promise: 'a wait that ends leaves the next wait of its run cancellable',
    },
    {
      file: `${run}/create-runs.ts`,
      find: '      if (signal.aborted) return\n',
      replace: '',
      promise: 'an expiry that waited for the lock does not end a run that waits anew',
    },
    {
      file: `${run}/create-runs.ts`,
      find: 'const run = liveRuns.get(runId) === undefined ? await log.run(runId) : undefined',
      replace: 'const run = await log.run(runId)',
      promise: 'recovery leaves the runs of this process alone',
    },
    {
      file: `${run}/live-runs.ts`,
      find: '      isEnded = await hasDurableEnd(owner)\n    }\n',
      replace: '    }\n',
      promise: 'a stop that comes while a run is released ends and packs it',
    },
    {
      file: `${run}/run-statuses.ts`,
      find: 'if (listenersOfKey.has(listener)) call(key, listener)',
      replace: 'if (listenersOfKey.has(listener)) listener()',
      promise: 'a listener that throws keeps no other from being called',
    },
    {
      file: `${run}/run-statuses.ts`,
      find: 'if (listenersOfKey.size === 0 && listenersByKey.get(key) === listenersOfKey) listenersByKey.delete(key)',
      replace: 'if (listenersOfKey.size === 0) listenersByKey.delete(key)',
      promise: 'a listener that is removed twice takes no other away',
    },
    {
      file: `${run}/run-position.ts`,
      find: '      while (requested.has(`approval-${number}`)) number++\n',
      replace: '',
      promise: "a question does not get the id of one in the agent's own stream",
    },
    {
      file: `${run}/drive-agent.ts`,
      find: '      pendingAnswers.delete(approvalId)\n',
      replace: '      pendingAnswers.clear()\n',
      promise: 'the second of two open questions gets its answer',
    },
    {
      file: `${run}/replay-agent.ts`,
      find: "answer?.state === 'denied' || answer?.state === 'expired'",
      replace: "answer?.state === 'denied'",
      promise: 'a question that expires is not approved',
    },
    {
      file: `${verify}/verify.ts`,
      find: '.finally(() => byRun.delete(key))',
      replace: '',
      promise: 'the second verification reads the run again',
    },
    {
      file: `${verify}/verify.ts`,
      find: 'last = verdict.catch(() => {})',
      replace: 'last = verdict',
      promise: 'a failed verification does not fail the next',
    },
    {
      file: `${verify}/checks.ts`,
      find: '      ahead.events.splice(0, ahead.at)\n',
      replace: '      ahead.events.splice(0, ahead.at - 1)\n',
      promise: 'a run of many thousand events that wait is the same',
    },
  ],
}
