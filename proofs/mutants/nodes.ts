import type { Mutant, Stage } from './mutant.ts'
import { sqliteNodes } from './nodes-sqlite.ts'

const folder = 'packages/server/src/log'

const shared: readonly Mutant[] = [
  {
    file: `${folder}/append-rules.ts`,
    find: '  checkEpoch(head, request.epoch)\n',
    replace: '',
    promise: 'an append of an earlier owner is refused',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: 'if (epoch !== run.epoch) throw',
    replace: 'if (epoch < run.epoch) throw',
    promise: 'an epoch that was never given out is refused',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: 'run.owner !== undefined && hasLease(run.owner)) throw',
    replace: "run.owner === '') throw",
    promise: 'a live lease is not taken',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: 'run.owner !== undefined && hasLease(run.owner)) throw',
    replace: 'run.owner !== undefined && run.owner !== nodeId && hasLease(run.owner)) throw',
    promise: 'a run is not given to its owner a second time',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: 'run.owner !== undefined && hasLease(run.owner)) throw',
    replace: 'run.owner !== undefined) throw',
    promise: 'a run is given away once its owner has left',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: '  checkLease(nodeId, hasLease)\n  if (run.state',
    replace: '  if (run.state',
    promise: 'a node that has left acquires nothing',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: 'if (attempt < run.attempt) throw',
    replace: 'if (attempt <= run.attempt) throw',
    promise: 'a producer comes back with the attempt that it had',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: 'if (attempt < run.attempt) throw',
    replace: 'if (attempt < 0) throw',
    promise: 'a lower attempt is refused',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: 'waitUntil <= now',
    replace: 'waitUntil < now',
    promise: 'a wait is over in the millisecond in which it ends',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: "return state !== 'waiting' || (",
    replace: "return state === 'queued' || (",
    promise: 'a run that no node has begun is listed',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: "  if (state === 'ended') return false\n  if (owner",
    replace: '  if (owner',
    promise: 'an ended run needs no node',
  },
  {
    file: `${folder}/lease-rules.ts`,
    find: "type === 'approval' || ",
    replace: '',
    promise: 'a question changes its thread',
  },
  {
    file: `${folder}/commands.ts`,
    find: "result ?? (state === 'ended' ?",
    replace: "result ?? (state === 'queued' ?",
    promise: 'a command of an ended run is refused',
  },
  {
    file: `${folder}/bell.ts`,
    find: '        process.emitWarning(error instanceof Error ? error : String(error))\n',
    replace: '        throw error\n',
    promise: 'a listener that throws disturbs nobody',
  },
  {
    file: `${folder}/bell.ts`,
    find: 'if (listeners.has(listener)) listener()',
    replace: 'listener()',
    promise: 'a listener that was stopped meanwhile is not called',
  },
  {
    file: `${folder}/bell.ts`,
    find: 'keys.add(ALL)',
    replace: "keys.add('')",
    promise: 'those who watch all threads learn of each',
  },
  {
    file: `${folder}/bell.ts`,
    find: 'const own = () => listener()',
    replace: 'const own = listener',
    promise: 'a listener that is added twice is removed twice',
  },
  {
    file: `${folder}/bell.ts`,
    find: '`run ${subject.runId}`',
    replace: '`thread ${subject.runId}`',
    promise: 'a run is not taken for a thread',
  },
]

const memory: readonly Mutant[] = [
  {
    file: `${folder}/memory.ts`,
    find: '    run.info = info\n    threads.note(info.threadId)\n    bell.ring({ runId: info.id })\n',
    replace: '    threads.note(info.threadId)\n    bell.ring({ runId: info.id })\n    run.info = info\n',
    promise: 'a hint comes after the change',
  },
  {
    file: `${folder}/memory.ts`,
    find: 'if (followUp && existingRun(runs, followUp) === undefined)',
    replace: 'if (followUp)',
    promise: 'a follow-up run is created once',
  },
  {
    file: `${folder}/memory.ts`,
    find: 'if (isAlone && infos().some(isInTheWay)) throw',
    replace: 'if (isAlone && infos().length > 1e9) throw',
    promise: 'a run that must be alone is alone',
  },
  {
    file: `${folder}/memory/inbox.ts`,
    find: '        if (command?.result !== undefined) continue\n',
    replace: '',
    promise: 'a command gets one result',
  },
  {
    file: `${folder}/memory/inbox.ts`,
    find: 'key !== undefined && key === command.key',
    replace: "key !== undefined && key === ''",
    promise: 'a repeated key gives the stored command',
  },
  {
    file: `${folder}/memory/inbox.ts`,
    find: 'key !== undefined && key === command.key',
    replace: 'key === command.key',
    promise: 'commands without a key are different commands',
  },
  {
    file: `${folder}/memory/inbox.ts`,
    find: 'result: asStored(result) }',
    replace: 'result }',
    promise: 'a stored result does not change with its object',
  },
  {
    file: `${folder}/memory/nodes.ts`,
    find: 'const id = randomUUID()',
    replace: 'const id = `node ${nodes.size}`',
    promise: 'the id of a node is never used again',
  },
  {
    file: `${folder}/memory/nodes.ts`,
    find: 'leave: (nodeId) => void nodes.delete(nodeId)',
    replace: 'leave: (nodeId) => void nodes.get(nodeId)?.clear()',
    promise: 'a node that leaves has no lease',
  },
  {
    file: `${folder}/memory/nodes.ts`,
    find: 'for (const runId of runIds) followed.delete(runId)',
    replace: 'for (const runId of runIds.slice(1)) followed.delete(runId)',
    promise: 'a new run has no followers of a deleted one',
  },
  {
    file: `${folder}/memory/ownership.ts`,
    find: '      const { waitUntil: _wait, ...info } = run.info\n      const epoch',
    replace: '      const info = run.info\n      const epoch',
    promise: 'an acquired run does not wait',
  },
  {
    file: `${folder}/memory/ownership.ts`,
    find: '      checkEpoch(run.info, epoch)\n',
    replace: '',
    promise: 'a run is not released by an earlier owner',
  },
  {
    file: `${folder}/memory/threads.ts`,
    find: '    threads.set(thread.id, next)\n    ring({ threadId: thread.id })\n',
    replace: '    ring({ threadId: thread.id })\n    threads.set(thread.id, next)\n',
    promise: 'a hint about a thread comes after the change',
  },
  {
    file: `${folder}/memory/threads.ts`,
    find: "if (thread !== undefined) set(title === undefined || thread.title !== '' ? thread : { ...thread, title })",
    replace: 'if (thread !== undefined) set({ ...thread, updatedAt: clock() })',
    promise: 'an acquired run leaves its thread where it is in the list',
  },
]

/** One owner for each run, each command settled once, and hints that come after what they announce. */
export const nodes: Stage = {
  name: 'lease and inbox',
  tests: ['test/log.test.ts', 'packages/server/src/log'],
  // The promises about nodes, commands and hints: the others take minutes, and have stages of their own.
  only: 'writers?$| nodes?\\b|alone|leases|meanwhile|owners',
  mutants: [...shared, ...memory, ...sqliteNodes],
}
