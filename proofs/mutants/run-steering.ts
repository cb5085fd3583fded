import type { Mutant } from './mutant.ts'

const folder = 'packages/server/src/run'

/** What persons say to an agent that runs. */
export const steering: readonly Mutant[] = [
  {
    file: `${folder}/steering.ts`,
    find: '      pending.delete(next.messageId)\n',
    replace: '',
    promise: 'a message is taken once',
  },
  {
    file: `${folder}/steering.ts`,
    find: '      if (!(await isLogged(next))) return undefined\n',
    replace: '',
    promise: 'a message is logged when it is taken',
  },
  {
    file: `${folder}/steering.ts`,
    find: '      pending.delete(next.messageId)\n      if (!(await isLogged(next))) return undefined\n',
    replace: '      if (!(await isLogged(next))) return undefined\n      pending.delete(next.messageId)\n',
    promise: 'a message that is being taken cannot be taken back',
  },
  {
    file: `${folder}/steering.ts`,
    find: 'if (owner.hasFailed() || owner.isEnded()) return false',
    replace: 'if (owner.isEnded()) return false',
    promise: 'messages end when the run is lost',
  },
  {
    file: `${folder}/steering.ts`,
    find: '      if (!pending.delete(messageId)) return false\n',
    replace: '      pending.delete(messageId)\n',
    promise: 'a message that was taken cannot be taken back',
  },
  {
    file: `${folder}/steering.ts`,
    find: ".find(({ when }) => when === 'now')",
    replace: '.find(() => true)',
    promise: 'what is for the next run does not reach this one',
  },
  {
    file: `${folder}/drive-agent.ts`,
    find: "agent.can?.steer === true ? command : { ...command, when: 'next' }",
    replace: 'command',
    promise: 'an agent that cannot be steered gets no message',
  },
  {
    file: `${folder}/owner.ts`,
    find: "if (outcome === 'success') next.followUp = followUp?.(first)",
    replace: 'void followUp?.(first)',
    promise: 'messages that were not taken go to the next run',
  },
  {
    file: `${folder}/owner.ts`,
    find: "if (outcome === 'success') next.followUp",
    replace: 'next.followUp',
    promise: 'messages that were not taken are dropped after a stop',
  },
  {
    file: `${folder}/owner.ts`,
    find: "      put([event], 'server')\n",
    replace: '      void put\n',
    promise: 'the log says that a message was dropped',
  },
  {
    file: `${folder}/start.ts`,
    find: 'nextRunId === undefined ? undefined : context.beginQueued(nextRunId)',
    replace: 'undefined',
    promise: 'the run that gets the messages is started',
  },
  {
    file: `${folder}/run-messages.ts`,
    find: "      states.set(messageId, takenBack.has(messageId) ? 'taken-back' : 'dropped')\n",
    replace: '',
    promise: 'what was taken back is not asked in the next run',
  },
  {
    file: `${folder}/run-messages.ts`,
    find: "takenBack.has(messageId) ? 'taken-back' : 'dropped'",
    replace: "'dropped'",
    promise: 'what a person took back is told apart from what was dropped',
  },
  {
    file: `${folder}/unowned-runs.ts`,
    find: "if (run.state === 'queued') return beginQueued(run.id)",
    replace: "if (run.state === 'queued') return",
    promise: 'a run that its node has not begun is begun by another',
  },
]

/** What is asked of a run, its order and its results. */
export const commands: readonly Mutant[] = [
  {
    file: `${folder}/attend.ts`,
    find: '    isDue = true\n    looking ??= look()\n',
    replace: '    if (looking !== undefined) return\n    isDue = true\n    looking = look()\n',
    promise: 'a hint that comes during a look leads to another look',
  },
  {
    file: `${folder}/attend.ts`,
    find: '    looking = undefined\n  }',
    replace: '  }',
    promise: 'every hint leads to a look',
  },
  {
    file: `${folder}/attend.ts`,
    find: '{ after, isOpen: true }',
    replace: '{ after }',
    promise: 'a command is done once',
  },
  {
    file: `${folder}/attend.ts`,
    find: 'of await log.commands(live.owner.run.id, { after, isOpen: true })',
    replace: 'of (await log.commands(live.owner.run.id, { after, isOpen: true })).toReversed()',
    promise: 'commands are done in the order in which they were asked',
  },
  {
    file: `${folder}/live-run.ts`,
    find: '  if (live.owner.isEnded()) return\n',
    replace: '',
    promise: 'a command that comes after the end of the run is left to that end',
  },
  {
    file: `${folder}/owner.ts`,
    find: "result: { state: 'refused', code }",
    replace: "result: { state: 'applied', seq: code.length }",
    promise: 'what is refused is not settled as done',
  },
  {
    file: `${folder}/owner.ts`,
    find: '    for (const input of inputs) putInput(input)\n    settle(command)\n',
    replace: '    settle(command)\n    void write()\n    for (const input of inputs) putInput(input)\n',
    promise: 'a command is settled with what it has caused',
  },
  {
    file: `${folder}/owner.ts`,
    find: "    put(ending, end?.by ?? 'producer')\n    settle(command)\n",
    replace: "    put(ending, end?.by ?? 'producer')\n",
    promise: 'the command that ends a run is settled with the end',
  },
  {
    file: `${folder}/drive-agent.ts`,
    find: 'return owner.add([], command)',
    replace: 'return',
    promise: 'the second stop has a result',
  },
  {
    file: `${folder}/create-runs.ts`,
    find: '    if (ownedRuns.get(runId) === undefined) serve(runId)\n',
    replace: '',
    promise: 'what is asked of a run without an owner is done',
  },
]
