import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/run'

/** Runs: one writer, no record twice, and an end only where there is one. */
export const run: Stage = {
  name: 'run',
  tests: ['packages/server/test/run-'],
  mutants: [
    {
      file: `${folder}/waits.ts`,
      find: "    statuses.set(runId, { state: 'waiting' })\n",
      replace: '',
      promise: 'viewers are told no time that has passed',
    },
    {
      file: `${folder}/run-position.ts`,
      find: 'createMessageRow({ maxCharacters: MAX_ROW })',
      replace: 'createMessageRow()',
      promise: 'a live run keeps a bounded part of its text in memory',
    },
    {
      file: `${folder}/owner.ts`,
      find: 'await log.append(run.id,',
      replace: 'void log.append(run.id,',
      promise: 'nothing is acknowledged before it is durable',
    },
    {
      file: `${folder}/owner.ts`,
      find: '    if (isEnded) return settled()\n',
      replace: '',
      promise: 'a run ends once',
    },
    {
      file: `${folder}/owner.ts`,
      find: 'if (next.size > ROOM) await underWay?.done.promise',
      replace: 'await undefined',
      promise: 'a fast producer waits for the log: the queue is bounded',
    },
    {
      file: `${folder}/owner.ts`,
      find: 'next.through.push(next.inputs.length)',
      replace: 'next.through.push(0)',
      promise: 'an entry knows the records that made it',
    },
    {
      file: `${folder}/owner.ts`,
      find: '    failure = { error }\n',
      replace: '',
      promise: 'nothing is written after the log has refused an append',
    },
    {
      file: `${folder}/feed-body.ts`,
      find: 'throw readController.signal.aborted',
      replace: 'await owner.end()\n        throw readController.signal.aborted',
      promise: 'a body that broke off does not end its run',
    },
    {
      file: `${folder}/feed-body.ts`,
      find: 'owner.push(records.slice(durable))',
      replace: 'owner.push(records)',
      promise: 'durable records are skipped when they are sent again',
    },
    {
      file: `${folder}/feed-body.ts`,
      find: 'Math.max(0, rawRecords - number)',
      replace: 'Math.max(0, rawRecords - number - 1)',
      promise: 'exactly the durable records are skipped',
    },
    {
      file: `${folder}/feed-body.ts`,
      find: '    await take(source.end())\n',
      replace: '',
      promise: 'the last record of a clean body needs no line end',
    },
    {
      file: `${folder}/ingest.ts`,
      find: 'if (request.line > run.rawRecords) throw',
      replace: 'if (request.line > run.rawRecords + 1) throw',
      promise: 'a gap between records is refused',
    },
    {
      file: `${folder}/ingest.ts`,
      find: 'request.attempt === run.attempt && !live.owner.isEnded()',
      replace: 'request.attempt < 0',
      promise: 'two producers of one attempt do not write into one run',
    },
    {
      file: `${folder}/ingest.ts`,
      find: '(await stored.firstDifferent(records)) !== undefined',
      replace: '(await stored.firstDifferent(records)) === -1',
      promise: 'an ended run takes nothing new',
    },
    {
      file: `${folder}/restore.ts`,
      find: 'next.done === true || !isSame(next.value, event, input.by)',
      replace: 'next.done === true',
      promise: 'a stream goes on only where its records give the logged events again',
    },
    {
      file: `${folder}/run-reader.ts`,
      find: "(logged.by ?? 'producer') === by || !hasMakers",
      replace: 'true',
      promise: 'reading a run again gives the same makers',
    },
    {
      file: `${folder}/run-reader.ts`,
      find: "(logged.by ?? 'producer') === by || !hasMakers",
      replace: "(logged.by ?? 'producer') === by",
      promise: 'a run that an earlier version logged can go on',
    },
    {
      file: `${folder}/run-reader.ts`,
      find: 'areAnswersRead: agent === undefined',
      replace: 'areAnswersRead: true',
      promise: 'an own agent does not answer in a person’s place',
    },
    {
      file: `${folder}/start.ts`,
      find: "...inputsBy('client', outputs)",
      replace: "...inputsBy('server', outputs)",
      promise: 'what a client brought is marked as its own',
    },
    {
      file: `${folder}/owner.ts`,
      find: "put(reader.push(record), 'producer')",
      replace: "put(reader.push(record), 'server')",
      promise: 'what a producer sent is never taken for the server’s word',
    },
    {
      file: `${folder}/unowned-runs.ts`,
      find: 'ownerOf(run, restored, { at: 0 })',
      replace: 'ownerOf(run, restored, {})',
      promise: 'what recovery adds is dated like the last entry',
    },
    {
      file: `${folder}/unowned-runs.ts`,
      find: 'run.agent === undefined && restored.position.isAwaiting()',
      replace: 'false',
      promise: 'an ingested run that awaits an answer stays open over a restart',
    },
    {
      file: `${folder}/unowned-runs.ts`,
      find: 'run.agent === undefined && restored.position.isAwaiting()',
      replace: 'restored.position.isAwaiting()',
      promise: 'no question is left open that nobody would hear the answer to',
    },
    {
      file: `${folder}/create-runs.ts`,
      find: '    if (run.agent !== undefined) return interrupt(run)\n',
      replace: '',
      promise: 'an agent’s run is not left running after a crash',
    },
    {
      file: `${folder}/start.ts`,
      find: '    if (!isNew) return run\n',
      replace: '',
      promise: 'a repeated start starts nothing twice',
    },
    {
      file: `${folder}/waits.ts`,
      find: '!(await expire(runId));',
      replace: '(await expire(runId)) && false;',
      promise: 'a run that cannot be ended now is ended later',
    },
    {
      file: `${folder}/create-runs.ts`,
      find: 'return !isTrouble(error)',
      replace: 'return true',
      promise: 'a full disk leaves no run live for ever',
    },
    {
      file: `${folder}/create-runs.ts`,
      find: 'if (isTrouble(error)) waits.begin(run.id)',
      replace: '',
      promise: 'a full disk at the start leaves no run live for ever',
    },
    {
      file: `${folder}/ingest.ts`,
      find: 'if (isTrouble(error)) context.waits.begin(runId)',
      replace: '',
      promise: 'a producer that is refused by a full disk leaves no run live for ever',
    },
    {
      file: `${folder}/stored-records.ts`,
      find: 'next.value.text !== text || ',
      replace: '',
      promise: 'another record of the same number is not taken for the stored one',
    },
    {
      file: `${folder}/stored-records.ts`,
      find: 'passed++ >= line',
      replace: 'passed++ >= 0',
      promise: 'records are compared by their numbers',
    },
    {
      file: `${folder}/start.ts`,
      find: '    const { run, isNew } = await log.createRun({',
      replace: '    await log.createThread({ id: threadId })\n    const { run, isNew } = await log.createRun({',
      promise: 'nothing is left of a start that is refused',
    },
  ],
}
