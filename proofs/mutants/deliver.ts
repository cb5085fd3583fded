import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/deliver'

/** Delivery: exactly what follows a cursor, nothing queued, no access without credentials. */
export const deliver: Stage = {
  name: 'deliver',
  tests: [
    'packages/server/test/deliver-',
    'packages/server/test/fan-out',
    'packages/server/test/convoy',
    'packages/server/test/pacer',
    'packages/server/test/routes-fuzz',
    'packages/server/test/routes-ingest',
    'packages/server/test/verify.test.ts',
    'packages/server/test/registered.test.ts',
    'test/faults-edge.test.ts',
  ],
  mutants: [
    {
      file: `${folder}/sink.ts`,
      find: "  sinks.add(sink)\n  sink.closed.addEventListener('abort', () => sinks.delete(sink), { once: true })\n",
      replace:
        "  void sinks\n  shutdown.addEventListener('abort', () => sink.cut(), { once: true, signal: sink.closed })\n",
      promise: 'nothing is kept of a client that has left after garbage was collected',
    },
    {
      file: `${folder}/sink.ts`,
      find: '  if (sink.closed.aborted) return\n',
      replace: '',
      promise: 'a client that was gone at once is not kept',
    },
    {
      file: `${folder}/fan-out.ts`,
      find: '  if (!(error instanceof LogError)) throw error\n',
      replace: '  void [error, LogError]\n',
      promise: 'an error of a wire is reported',
    },
    {
      file: 'packages/server/src/run/run-status.ts',
      find: '      look(runId, listeners).catch((error: unknown) => report(error, runId))\n',
      replace: '',
      promise: 'viewers hear at once that a producer is gone or back',
    },
    {
      file: 'packages/server/src/api/routes/streams.ts',
      find: '  if (!getWire(wire).hasWholeEntries) return {}\n',
      replace: '',
      promise: 'only wires of whole entries carry the status of a run',
    },
    {
      file: `${folder}/status-frames.ts`,
      find: '    if (isSending) return\n',
      replace: '',
      promise: 'no status is queued for a viewer that does not keep up',
    },
    {
      file: `${folder}/status-frames.ts`,
      find: '  due = first()\n',
      replace: '',
      promise: 'a new viewer gets the status of the run',
    },
    {
      file: 'packages/server/src/verify/checks.ts',
      find: 'if (!areSame(item, other)) differsAt = comparedCount',
      replace: '',
      promise: 'a verification finds an entry that is not what its inputs say',
    },
    {
      file: 'packages/server/src/verify/checks.ts',
      find: 'if (hasUncompared) differsAt ??= comparedCount + 1',
      replace: '',
      promise: 'a verification finds inputs that are missing',
    },
    {
      file: 'packages/server/src/verify/checks.ts',
      find: 'if (entry !== undefined && entry.seq <= run.seq) fold.push([entry])',
      replace: '',
      promise: 'a verification folds what is delivered',
    },
    {
      file: 'packages/server/src/verify/verify.ts',
      find: 'if (same !== undefined) return same',
      replace: '',
      promise: 'concurrent requests share one verification',
    },
    {
      file: 'packages/server/src/verify/verify.ts',
      find: '(isLogged || counts.reread <= counts.logged)',
      replace: 'true',
      promise: 'a verification holds neither stream whole',
    },
    {
      file: 'packages/server/src/verify/verify.ts',
      find: 'if (isSpent({ bytes })) return ENOUGH',
      replace: '',
      promise: 'a verification ends with its budget, and says so',
    },
    {
      file: 'packages/server/src/verify/hash.ts',
      find: 'if (value === undefined) continue',
      replace: '',
      promise: 'the hash is that of the JSON',
    },
    {
      file: 'packages/server/src/deliver/viewer.ts',
      find: ", watch.messageId ?? ''].join",
      replace: '].join',
      promise: 'a stream of one run does not continue an earlier message',
    },
    {
      file: `${folder}/cursor.ts`,
      find: 'chunkSeq === seq && chunkIndex > index',
      replace: 'chunkSeq === seq && chunkIndex >= index',
      promise: 'the chunk of a cursor is not sent again',
    },
    {
      file: `${folder}/cursor.ts`,
      find: 'chunkSeq > seq ||',
      replace: 'chunkSeq > seq + 1 ||',
      promise: 'the entry after a cursor is sent',
    },
    {
      file: 'packages/server/src/deliver/viewer.ts',
      find: 'cursor.index === undefined ? cursor.seq :',
      replace: 'cursor.index === undefined ? cursor.seq + 1 :',
      promise: 'native resumes at the very next entry',
    },
    {
      file: 'packages/core/src/wire/sse-frames.ts',
      find: "'data: ' + json + '\\nid: ' + cursor + '\\n\\n'",
      replace: "'id: ' + cursor + '\\n\\ndata: ' + json + '\\n\\n'",
      promise: 'a cursor never comes before its data',
    },
    {
      file: 'packages/server/src/api/routes/streams.ts',
      find: "lastEventId === undefined || lastEventId === '' ? after : lastEventId",
      replace: 'after ?? lastEventId',
      promise: 'a viewer that comes back by itself goes on from its newest cursor',
    },
    {
      file: `${folder}/pacer.ts`,
      find: 'this.#sink.write(bytes) ? undefined : this.#keepUp()',
      replace: 'this.#sink.write(bytes) ? undefined : undefined',
      promise: 'nothing piles up for a viewer that does not read',
    },
    {
      file: `${folder}/pacer.ts`,
      find: '() => this.#sink.cut())',
      replace: '() => {})',
      promise: 'a viewer that stands still is cut',
    },
    {
      file: `${folder}/pacer.ts`,
      find: 'if (this.#isSilent && !this.#isStanding && !this.#beat(this.#sink)) void this.#keepUp()',
      replace: '',
      promise: 'silence is broken by a sign of life',
    },
    {
      file: `${folder}/pacer.ts`,
      find: 'this.#isSilent && !this.#isStanding',
      replace: 'this.#isSilent',
      promise: 'nothing piles up for a viewer that stands still',
    },
    {
      file: `${folder}/chunk-batch.ts`,
      find: 'this.size = size + BATCH_COST',
      replace: 'this.size = size',
      promise: 'what says nothing is forgotten too',
    },
    {
      file: `${folder}/node-sink.ts`,
      find: 'bytes.length.toString(16)',
      replace: 'bytes.length.toString(10)',
      promise: 'a chunk of HTTP has its length in hexadecimal',
    },
    {
      file: `${folder}/websocket.ts`,
      find: '    sink.cut()\n    throwUnlessOfLog',
      replace: '    sink.end()\n    throwUnlessOfLog',
      promise: 'a WebSocket that breaks off does not look like its end',
    },
    {
      file: 'packages/server/src/api/guard.ts',
      find: 'if (origin !== undefined && !isOriginOf(origin',
      replace: 'if (origin === "" && !isOriginOf(origin',
      promise: 'other pages may not ask',
    },
    {
      file: 'packages/server/src/api/guard.ts',
      find: 'if (asked === undefined || !isOurs(asked)) throw',
      replace: 'if (asked === undefined) throw',
      promise: 'a name that only points here is refused',
    },
    {
      file: 'packages/server/src/api/upgrades.ts',
      find: 'if (sessionId === undefined) await checkAccess(asked, ticket)',
      replace: '',
      promise: 'a WebSocket needs the token too',
    },
    {
      file: 'packages/server/src/api/request.ts',
      find: '    if (size > limit) throw tooLarge()\n',
      replace: '',
      promise: 'a body in chunks is refused once it is too large',
    },
    {
      file: 'packages/server/src/api/request.ts',
      find: 'if (isTooDeep(text)) throw',
      replace: 'if (text === "deep") throw',
      promise: 'JSON that is too deep to walk is refused',
    },
  ],
}
