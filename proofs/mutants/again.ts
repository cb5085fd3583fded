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
      find: 'if (tail.readers === 0 && tails.get(runId) === tail) remove(runId)',
      replace: 'if (tail.readers === 0) remove(runId)',
      promise: 'a reader of a removed run leaves the readers of a new run with its id alone',
    },
    {
      file: `${log}/tail.ts`,
      find: 'tail.isEnded ||= stored.isEnded',
      replace: 'tail.isEnded = stored.isEnded',
      promise: 'a reader ends with a run that ends while its position is read',
    },
    {
      file: 'packages/server/src/log/tail-state.ts',
      find: '    tail.characters -= charactersOf(oldest)\n',
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
      file: `${log}/memory/threads.ts`,
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
      file: `${run}/sweep.ts`,
      find: '      closing.abort()\n      timer?.controller.abort()\n',
      replace: '      closing.abort()\n',
      promise: 'closing leaves no timer for the runs that wait',
    },
    {
      file: `${run}/sweep.ts`,
      find: '    if (timer === fired) timer = undefined\n',
      replace: '',
      promise: 'the second wait is looked at, too',
    },
    {
      file: `${run}/run-status.ts`,
      find: 'const own: Listener = (status) => listener(status)',
      replace: 'const own: Listener = listener',
      promise: 'a listener that is added twice and removed once is still called',
    },
    {
      file: `${run}/run-position.ts`,
      find: 'if (!requested.has(`approval-${number}`)) ids',
      replace: 'ids',
      promise: "a question does not get the id of one in the agent's own stream",
    },
    {
      file: `${run}/answers.ts`,
      find: '=> entryOf(approvalId).resolve(answer)',
      replace: '=> (entryOf(approvalId).resolve(answer), answers.clear())',
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
