import type { Mutant, Stage } from './mutant.ts'

const run = 'packages/server/src/run'
const postgres = 'packages/server/src/log/postgres'

const mutants: readonly Mutant[] = [
  {
    file: `${run}/attend.ts`,
    find: 'const unwatch = log.watch({ runId: run.id }, hint)',
    replace: 'const unwatch = () => void log',
    promise: 'the owner hears what is asked through another node',
  },
  {
    file: `${run}/drive-agent.ts`,
    find: '      answers.give(approvalId, answer)\n',
    replace: '',
    promise: 'approve: the agent at the other node hears the answer',
  },
  {
    file: `${run}/live-run.ts`,
    find: '    if (event === undefined) await',
    replace: '    if (event === null) await',
    promise: 'approve: of several answers one counts',
  },
  {
    file: `${run}/live-run.ts`,
    find: 'stop: (live, _command, asked) => live.stop(asked)',
    replace: "stop: (live, _command, asked) => live.owner.refuse(asked.number, 'not-here')",
    promise: 'stop: the agent at the other node is stopped',
  },
  {
    file: `${run}/feed-body.ts`,
    find: "      readController.abort(new RunRefusal('run-closed', runId))\n",
    replace: '',
    promise: 'stop: the body of a producer at the other node is answered',
  },
  {
    file: `${run}/steering.ts`,
    find: '      pending.delete(next.messageId)\n',
    replace: '',
    promise: 'steer: the agent at the other node takes a message once',
  },
  {
    file: `${run}/steering.ts`,
    find: '      if (!pending.delete(messageId)) return false\n',
    replace: '      if (!pending.has(messageId)) return false\n',
    promise: 'take back: a message is taken back once',
  },
  {
    file: `${postgres}/migrations.ts`,
    find: '    RETURN QUERY SELECT * FROM runs WHERE thread = of_thread AND idempotency_key = of_key;\n    IF FOUND THEN RETURN; END IF;\n',
    replace: '',
    promise: 'output: handed over through both nodes, one run takes it',
  },
  {
    file: `${run}/acquire-for.ts`,
    find: "    if (owned.epoch !== askedEpoch) await log.tell(runId, { command: { type: 'take-over', attempt } })\n",
    replace: '',
    promise: 'resume: the node of an overtaken producer hears that it must leave',
  },
  {
    file: `${run}/feed-body.ts`,
    find: "      readController.abort(new RunRefusal('stale-attempt', runId))\n",
    replace: '',
    promise: 'resume: an overtaken producer leaves its run',
  },
  {
    file: 'packages/server/src/deliver/commands-stream.ts',
    find: 'const unwatch = log.watch({ runId }, ring)',
    replace: 'const unwatch = () => void log',
    promise: 'a producer hears at another node than it feeds what was asked',
  },
  {
    file: `${run}/unowned-runs.ts`,
    find: "isProducerLost ? 'wait' : 'interrupt'",
    replace: "isProducerLost ? 'interrupt' : 'interrupt'",
    promise: 'the run of a killed node waits for its producer',
  },
  {
    file: `${run}/sweep.ts`,
    find: "log.watch('expired', () => after(Math.random() * SPREAD))",
    replace: '() => undefined',
    promise: 'the other node hears that one was killed',
  },
  {
    file: `${postgres}/poll.ts`,
    find: '    await leases.bury()\n',
    replace: '',
    promise: 'a node that was killed is buried, although nobody asks for its runs',
  },
]

/** Two processes over one PostgreSQL, asked by HTTP. One bus is enough: what a bus owes has stages of its own. */
export const nodesProcesses: Stage = {
  name: 'nodes, two processes',
  tests: ['test/nodes/commands.test.ts', 'test/nodes/killed-owner.test.ts'],
  only: 'bus postgres|a node that is killed',
  timeout: 240_000,
  mutants,
}
