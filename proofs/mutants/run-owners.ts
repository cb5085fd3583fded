import type { Mutant } from './mutant.ts'

const folder = 'packages/server/src/run'

/** Who may write a run, and who decides about it when nobody does. */
export const owners: readonly Mutant[] = [
  {
    file: `${folder}/create-runs.ts`,
    find: '    void serve(runId)\n  }',
    replace: '  }',
    promise: 'a command that comes while the run is released is done',
  },
  {
    file: `${folder}/unowned-runs.ts`,
    find: 'run.agent === undefined && restored.isReproduced',
    replace: 'false',
    promise: 'an answer does not end a run whose producer may come back',
  },
  {
    file: `${folder}/unowned-runs.ts`,
    find: 'run.agent === undefined && restored.isReproduced',
    replace: 'run.agent === undefined',
    promise: 'an answer ends a run that no producer can continue',
  },
  {
    file: `${folder}/unowned-runs.ts`,
    find: "decided === 'interrupt' && !isAnswered",
    replace: "decided === 'interrupt'",
    promise: 'the producer has time to come back for an answer',
  },
  {
    file: `${folder}/unowned-runs.ts`,
    find: "    if (fate === 'wait-for-answer') return undefined\n",
    replace: '',
    promise: 'a run that waits without a limit goes on so',
  },
  {
    file: `${folder}/unowned-runs.ts`,
    find: 'isProducerLost = run.agent === undefined && (',
    replace: 'isProducerLost = (',
    promise: 'the run of an agent does not outlive its node',
  },
  {
    file: `${folder}/unowned-runs.ts`,
    find: "run.owner !== undefined || run.state === 'live'",
    replace: 'false',
    promise: 'a producer whose node has died has time to come back',
  },
  {
    file: `${folder}/feed-body.ts`,
    find: 'attempt <= owner.run.attempt',
    replace: 'attempt < owner.run.attempt',
    promise: 'an equal attempt does not take a run over',
  },
  {
    file: `${folder}/feed-body.ts`,
    find: 'attempt <= owner.run.attempt',
    replace: 'attempt > 0',
    promise: 'a higher attempt takes the run over',
  },
  {
    file: `${folder}/feed-body.ts`,
    find: "      readController.abort(new RunRefusal('stale-attempt', runId))\n",
    replace: '',
    promise: 'a lower attempt does not keep the run',
  },
  {
    file: `${folder}/drive-agent.ts`,
    find: "owner.refuse(number, 'not-ingested')",
    replace: 'owner.add([], number)',
    promise: 'a producer does not take over the run of an agent',
  },
  {
    file: `${folder}/node.ts`,
    find: '        if (joined === current) joined = undefined\n',
    replace: '',
    promise: 'a node whose lease has ended takes a new id',
  },
  {
    file: `${folder}/node.ts`,
    find: '        if (joined === current) joined = undefined\n        joined ??= join()\n        return act(await joined)\n',
    replace: '        if (joined === current) joined = join()\n        return act(await (joined as Promise<string>))\n',
    promise: 'a node that has heard of the end of its lease takes a new id, too',
  },
  {
    file: `${folder}/node.ts`,
    find: '        if (joined === current) joined = undefined\n        joined ??= join()\n',
    replace: '        joined = join()\n',
    promise: 'of several calls that meet the end of a lease, one joins',
  },
  {
    file: `${folder}/ingest.ts`,
    find: "  'wrong-position': 'out-of-step',\n",
    replace: '',
    promise: 'a producer is not blamed for what this node has misread',
  },
  {
    file: `${folder}/ingest.ts`,
    find: "  'unknown-node': 'lease-lost',\n",
    replace: '',
    promise: 'a producer whose node gets no lease may try elsewhere',
  },
  {
    file: `${folder}/ingest.ts`,
    find: "  'stale-owner': 'run-busy',\n",
    replace: '',
    promise: 'a producer whose run another node has taken may try again',
  },
  {
    file: `${folder}/sweep.ts`,
    find: '      for (const { waitUntil } of waiting) if (waitUntil !== undefined) after(Math.max(0, waitUntil - now()))\n',
    replace: '',
    promise: 'a wait of an earlier process is looked at when it ends',
  },
  {
    file: `${folder}/create-runs.ts`,
    find: '    if (waitFor !== undefined) sweep.after(waitFor)\n',
    replace: '',
    promise: 'a wait that begins now is looked at when it ends',
  },
  {
    file: `${folder}/sweep.ts`,
    find: 'if (waitsWithoutLimit(run)) serve(run.id)',
    replace: 'if (!waitsWithoutLimit(run)) serve(run.id)',
    promise: 'a command to a run that waits without a limit survives its process',
  },
  {
    file: `${folder}/sweep.ts`,
    find: '    if (!isDone) after(retry)\n',
    replace: '',
    promise: 'a run that cannot be ended now is ended later',
  },
  {
    file: `${folder}/following.ts`,
    find: '      if (count(runId, -1) > 0) return\n',
    replace: '',
    promise: 'a run is followed until the last of its followers has left',
  },
  {
    file: `${folder}/remote-producer.ts`,
    find: "(await log.isFollowed(runId)) ? act() : owner.refuse(number, 'nobody-listens')",
    replace: 'act()',
    promise: 'a producer that nobody sends commands to is not steered',
  },
]
