import type { Mutant } from './mutant.ts'

const folder = 'packages/server/src/run'

/** What an agent and a producer elsewhere hear. */
export const agents: readonly Mutant[] = [
  {
    file: `${folder}/answers.ts`,
    find: 'isClosed && !answers.has(approvalId) ? EXPIRED',
    replace: '!answers.has(approvalId) ? EXPIRED',
    promise: 'an agent may wait for the answer before it asks',
  },
  {
    file: `${folder}/answers.ts`,
    find: 'isClosed && !answers.has(approvalId) ? EXPIRED',
    replace: 'isClosed ? EXPIRED',
    promise: 'an answer that came before the stop is not lost',
  },
  {
    file: `${folder}/answers.ts`,
    find: '      isClosed = true\n',
    replace: '',
    promise: 'an agent that is stopped does not wait for an answer',
  },
  {
    file: `${folder}/answers.ts`,
    find: '      for (const { resolve } of answers.values()) resolve(EXPIRED)\n',
    replace: '',
    promise: 'a stop ends the wait for every answer',
  },
  {
    file: `${folder}/agent-host.ts`,
    find: "'run-start', 'run-end', 'control'",
    replace: "'run-start', 'control'",
    promise: 'an agent does not end its run by an event',
  },
  {
    file: `${folder}/agent-host.ts`,
    find: " || (event.type === 'message-start' && event.role === 'user')",
    replace: '',
    promise: 'an agent does not speak for a person',
  },
  {
    file: `${folder}/agent-host.ts`,
    find: 'if (events.length > 0 && !owner.isEnded()) await owner.add(events)',
    replace: 'void events',
    promise: 'no question stays open that its agent does not hear any more',
  },
  {
    file: 'packages/server/src/deliver/commands-stream.ts',
    find: "result?.state !== 'applied' || ",
    replace: '',
    promise: 'a producer gets no command that was refused',
  },
  {
    file: 'packages/server/src/deliver/commands-stream.ts',
    find: 'open === -1 ? commands : commands.slice(0, open)',
    replace: 'commands.filter((_, index) => index !== open)',
    promise: 'a producer gets the commands in their order',
  },
  {
    file: 'packages/server/src/deliver/commands-stream.ts',
    find: '      if (isEnded) return sink.end()\n',
    replace: '',
    promise: 'the commands end with their run',
  },
  {
    file: 'packages/server/src/deliver/commands-stream.ts',
    find: 'log.watch({ runId }, ring)',
    replace: '() => undefined',
    promise: 'each command is sent as soon as it is settled',
  },
  {
    file: 'packages/server/src/api/routes/commands.ts',
    find: "    sink.closed.addEventListener('abort', leave)\n",
    replace: '',
    promise: 'a producer that has left does not count as a follower',
  },
  {
    file: `${folder}/unowned-runs.ts`,
    find: 'isAsSeen ? fate : fateOfOther(run)',
    replace: 'fate',
    promise: 'a sweep decides nothing about a run that another has owned since',
  },
  {
    file: `${folder}/settled.ts`,
    find: '!(error instanceof LogError) || isLost(error)',
    replace: 'isLost(error)',
    promise: 'an overtaken producer hears it at once',
  },
  {
    file: `${folder}/acquire-for.ts`,
    find: 'if (owned.epoch !== askedEpoch) await',
    replace: 'if (askedEpoch === undefined) await',
    promise: 'the highest of several attempts has the run',
  },
  {
    file: `${folder}/unowned-runs.ts`,
    find: 'Math.max(0, waitUntil - now())',
    replace: 'resumeWithin',
    promise: 'what is refused does not prolong the wait for a producer',
  },
  {
    file: `${folder}/owned-runs.ts`,
    find: 'waitFor - Math.max(0, now() - lostAt)',
    replace: 'waitFor',
    promise: 'a run that the log did not let go of has waited meanwhile',
  },
]
