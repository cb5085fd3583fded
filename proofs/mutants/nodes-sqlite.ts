import type { Mutant } from './mutant.ts'

const folder = 'packages/server/src/log'

/** Of the lease and the inbox, what only the SQLite log has. */
export const sqliteNodes: readonly Mutant[] = [
  {
    file: `${folder}/sqlite.ts`,
    find: "tell: (runId, command) => ringing(writer.call('tell', runId, command, now()), () => [{ runId }])",
    replace:
      "tell(runId, command) {\n      const written = writer.call('tell', runId, command, now())\n      bell.ring({ runId })\n      return written\n    }",
    promise: 'a hint about a command comes after its commit',
  },
  {
    file: `${folder}/sqlite.ts`,
    find: "      const threadId = await writer.call('release', runId, epoch, waitUntil)\n      if (threadId !== undefined) bell.ring({ runId }, { threadId })\n",
    replace: "      bell.ring({ runId }, 'threads')\n      await writer.call('release', runId, epoch, waitUntil)\n",
    promise: 'a hint about a release comes after its commit',
  },
  {
    file: `${folder}/sqlite.ts`,
    find: 'else if (handover.settle.length > 0) bell.ring({ runId })',
    replace: 'else if (handover.settle.length > 1) bell.ring({ runId })',
    promise: 'those who watch a run learn of each result',
  },
  {
    file: `${folder}/sqlite/writes.ts`,
    find: "if (findExisting(run) === undefined) addNewRun(run, 'queued', now)",
    replace: "addNewRun(run, 'queued', now)",
    promise: 'a run ends although its follow-up exists',
  },
  {
    file: `${folder}/sqlite/writes.ts`,
    find: 'if (run.isAlone && selectRunInTheWay',
    replace: 'if (run.isAlone && run.owner && selectRunInTheWay',
    promise: 'a run that must be alone is alone',
  },
  {
    file: `${folder}/sqlite/writes.ts`,
    find: "state <> 'ended' AND parent_run_id IS NULL LIMIT 1",
    replace: "state <> 'ended' LIMIT 1",
    promise: "a subagent's own run does not keep a run from being alone",
  },
  {
    file: `${folder}/sqlite/ownership.ts`,
    find: "database.exec('DELETE FROM nodes')",
    replace: "database.exec('SELECT * FROM nodes')",
    promise: 'all leases end with the process',
  },
  {
    file: `${folder}/sqlite/ownership.ts`,
    find: 'leave: (nodeId) => void removeNode.run(nodeId)',
    replace: 'leave: (nodeId) => void selectNode.get(nodeId)',
    promise: 'a node that leaves has no lease',
  },
  {
    file: `${folder}/sqlite/ownership.ts`,
    find: 'epoch = epoch + 1',
    replace: 'epoch = max(epoch, 1)',
    promise: 'every acquisition raises the epoch',
  },
  {
    file: `${folder}/sqlite/ownership.ts`,
    find: ' AND result IS NULL',
    replace: '',
    promise: 'a command gets one result',
  },
  {
    file: `${folder}/sqlite/ownership.ts`,
    find: 'keyText === null ? undefined : selectKey.get(number, keyText)',
    replace: 'undefined',
    promise: 'a repeated key gives the stored command',
  },
  {
    file: `${folder}/sqlite/ownership.ts`,
    find: 'FROM commands WHERE run = ?1 RETURNING',
    replace: 'FROM commands RETURNING',
    promise: 'commands are numbered per run',
  },
  {
    file: `${folder}/sqlite/ownership.ts`,
    find: 'JSON.stringify(text))',
    replace: 'JSON.stringify(text.toWellFormed()))',
    promise: 'keys and names are stored exactly',
  },
  {
    file: `${folder}/sqlite/ownership.ts`,
    find: "      if (row.state === 'ended') return undefined\n",
    replace: '',
    promise: 'an ended run is not released',
  },
  {
    file: `${folder}/sqlite/append.ts`,
    find: '    if (!isNext(head, request)) return repeated(run, handover)\n',
    replace: '    effects.settle(run.number, settle)\n    if (!isNext(head, request)) return repeated(run, handover)\n',
    promise: 'a refused append stores no result',
  },
  {
    file: `${folder}/sqlite/append.ts`,
    find: '    effects.settle(run.number, settle)\n',
    replace: '    setImmediate(() => effects.settle(run.number, settle))\n',
    promise: 'a result is in the transaction of its append',
  },
  {
    file: `${folder}/sqlite/append.ts`,
    find: ', owner = NULL, wait_until = NULL WHERE',
    replace: ' WHERE',
    promise: 'an ended run has neither owner nor wait',
  },
  {
    file: `${folder}/sqlite/reads.ts`,
    find: "    database.exec('BEGIN')\n    try {\n      return read()\n    } finally {\n      database.exec('COMMIT')\n    }\n",
    replace: '    return read()\n',
    promise: 'leases and runs are read in one state',
  },
  {
    file: `${folder}/sqlite/reads.ts`,
    find: 'readResult(command.result, row.state)',
    replace: 'command.result',
    promise: 'a command of an ended run is refused',
  },
  {
    file: `${folder}/sqlite/reads.ts`,
    find: 'WHERE run = ? AND number > ? ORDER BY number',
    replace: 'WHERE run = ? AND number >= ? ORDER BY number',
    promise: 'commands are listed strictly after a number',
  },
  {
    file: `${folder}/sqlite/migrations.ts`,
    find: "UPDATE runs SET owner = 'an earlier release' WHERE state <> 'ended'",
    replace: "UPDATE runs SET owner = NULL WHERE state <> 'ended'",
    promise: 'a waiting run of an earlier release needs a node',
  },
]
