import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/run'

/** Agents whose state is the log: their questions outlive the process. */
export const recover: Stage = {
  name: 'run: recover',
  tests: ['packages/server/test/run-recover-agents.test.ts', 'packages/core/src/normalize/client-tools.test.ts'],
  mutants: [
    {
      file: 'packages/core/src/normalize/client-tools.ts',
      find: "event.runBy === 'client' && own.has(event.name)",
      replace: "event.runBy !== 'agent' && own.has(event.name)",
      promise: 'a call of the provider stays its own, whatever tools an agent has',
    },
    {
      file: 'packages/core/src/normalize/client-tools.ts',
      find: "emit({ ...event, runBy: 'agent' })",
      replace: 'emit(event)',
      promise: 'an agent runs the calls that its provider leaves to the caller',
    },
    {
      file: `${folder}/recover-agent.ts`,
      find: 'agent?.can?.recover === true && isReproduced && position.isAwaiting()',
      replace: 'agent !== undefined && isReproduced && position.isAwaiting()',
      promise: 'a question expires at the restart if its agent cannot recover',
    },
    {
      file: `${folder}/recover-agent.ts`,
      find: 'isReproduced && position.isAwaiting()',
      replace: 'isReproduced',
      promise: 'a run that asks nothing ends at the restart, whether its agent can recover or not',
    },
    {
      file: `${folder}/recover-agent.ts`,
      find: 'owner.add([RESUME])',
      replace: 'owner.add([])',
      promise: 'the log says where another attempt begins',
    },
    {
      file: `${folder}/unowned-runs.ts`,
      find: '      if (await bringBack(run)) return\n',
      replace: '',
      promise: 'an answer that was stored before the process died is heard',
    },
    {
      file: `${folder}/unowned-runs.ts`,
      find: 'before.id, before.attempt + 1)',
      replace: 'before.id)',
      promise: 'an agent that comes back has another attempt',
    },
    {
      file: `${folder}/agent-host.ts`,
      find: '      await owner.settled()\n      yield* log.read',
      replace: '      yield* log.read',
      promise: 'an agent that reads its own run sees everything that it has sent',
    },
  ],
}
