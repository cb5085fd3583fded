import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/run'

/** Runs: one writer, no record twice, and an end only if the stream has one. */
export const run: Stage = {
  name: 'run',
  tests: ['packages/server/test/run-'],
  mutants: [
    {
      file: `${folder}/drive-agent.ts`,
      find: 'onFailure: letGo, onEvent: answers.note',
      replace: 'onFailure: letGo',
      promise: 'an agent does not wait for the answer to a question that has expired',
    },
    {
      file: `${folder}/owned-runs.ts`,
      find: '      await Promise.race([Promise.allSettled(closingAgents), late])\n',
      replace: '',
      promise: 'closing waits for the cleanup of agents',
    },
    {
      file: `${folder}/owned-runs.ts`,
      find: 'Promise.race([Promise.allSettled(closingAgents), late])',
      replace: 'Promise.allSettled(closingAgents)',
      promise: 'an agent that hangs does not keep the server from closing',
    },
    {
      file: `${folder}/unowned-runs.ts`,
      find: 'return ownedRuns.release({ run })',
      replace: 'return ownedRuns.release({ run }, resumeWithin)',
      promise: 'viewers get no time after which nothing happens',
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
      promise: 'an interrupted body does not end its run',
    },
    {
      file: `${folder}/feed-body.ts`,
      find: 'owner.push(records.slice(durable))',
      replace: 'owner.push(records)',
      promise: 'durable records that are sent again are skipped',
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
      find: '(await stored.firstDifferent(records)) !== undefined',
      replace: '(await stored.firstDifferent(records)) === -1',
      promise: 'an ended run accepts no new records',
    },
    {
      file: `${folder}/restore.ts`,
      find: 'next.done === true || !isSame(next.value, event, input.by)',
      replace: 'next.done === true',
      promise: 'a stream continues only if its records give the logged events again',
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
      promise: 'a run that an earlier version logged can continue',
    },
    {
      file: `${folder}/run-reader.ts`,
      find: 'areAnswersRead: agent === undefined',
      replace: 'areAnswersRead: true',
      promise: 'a server’s agent does not answer its own questions',
    },
    {
      file: `${folder}/start.ts`,
      find: "...inputsBy('client', outputs)",
      replace: "...inputsBy('server', outputs)",
      promise: 'a client’s outputs are marked as made by the client',
    },
    {
      file: `${folder}/owner.ts`,
      find: "put(reader.push(record), 'producer')",
      replace: "put(reader.push(record), 'server')",
      promise: 'a producer’s events are never marked as made by the server',
    },
    {
      file: `${folder}/unowned-runs.ts`,
      find: 'ownerOf(run, restored, 0)',
      replace: 'ownerOf(run, restored)',
      promise: 'entries that recovery adds are dated like the last entry',
    },
    {
      file: `${folder}/unowned-runs.ts`,
      find: 'run.agent === undefined ? restored.position.isAwaiting() : ',
      replace: 'run.agent === undefined ? false : ',
      promise: 'an ingested run that awaits an answer stays open after a restart',
    },
    {
      file: `${folder}/unowned-runs.ts`,
      find: ': canGoOn(agentOf(run), restored)',
      replace: ': restored.position.isAwaiting()',
      promise: 'no question stays open after its agent is gone',
    },
    {
      file: `${folder}/start.ts`,
      find: '  if (!isNew) return begun(log, run)\n',
      replace: '',
      promise: 'a repeated start does not start a second run',
    },
    {
      file: `${folder}/owned-runs.ts`,
      find: '      void retryRelease(id, attempt)\n',
      replace: '',
      promise: 'a full disk leaves no run live forever',
    },
    {
      file: `${folder}/start.ts`,
      find: '    void ownedRuns.release({ run }, resumeWithin)\n',
      replace: '',
      promise: 'a full disk at the start leaves no run live forever',
    },
    {
      file: `${folder}/ingest.ts`,
      find: '    void context.ownedRuns.release({ run }, context.resumeWithin)\n',
      replace: '',
      promise: 'a producer that is refused because of a full disk leaves no run live forever',
    },
    {
      file: `${folder}/stored-records.ts`,
      find: 'next.value.text !== text || ',
      replace: '',
      promise: 'a different record with the same number is not accepted as the stored one',
    },
    {
      file: `${folder}/stored-records.ts`,
      find: 'passed++ >= line',
      replace: 'passed++ >= 0',
      promise: 'records are compared by their numbers',
    },
    {
      file: `${folder}/start.ts`,
      find: '  const { run, isNew } = await node.use(',
      replace: '  await log.createThread({ id: threadId })\n  const { run, isNew } = await node.use(',
      promise: 'a refused start leaves nothing behind',
    },
  ],
}
