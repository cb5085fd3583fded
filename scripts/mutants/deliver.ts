import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/deliver'

/** Delivery: exactly what follows a cursor, nothing piled up, nobody let in. */
export const deliver: Stage = {
  name: 'deliver',
  tests: [
    'packages/server/test/deliver-',
    'packages/server/test/fan-out',
    'packages/server/test/convoy',
    'packages/server/test/pacer',
    'packages/server/test/routes-fuzz',
    'packages/server/test/routes-ingest',
    'test/faults-edge.test.ts',
  ],
  mutants: [
    {
      file: 'packages/server/src/run/run-states.ts',
      find: '      changes.ring(runId)\n',
      replace: '',
      promise: 'viewers hear at once that a producer is gone or back',
    },
    {
      file: `${folder}/routes/streams.ts`,
      find: '  if (!saysWholeEntries(wire)) return {}\n',
      replace: '',
      promise: 'the status of a run is told on our own wire alone',
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
      promise: 'a viewer that comes is told how the run stands',
    },
    {
      file: `${folder}/fan-out.ts`,
      find: ", options.messageId ?? ''].join",
      replace: '].join',
      promise: 'who watches a run by itself is not told what goes on with a message',
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
      file: `${folder}/fan-out.ts`,
      find: 'cursor.index === undefined ? cursor.seq :',
      replace: 'cursor.index === undefined ? cursor.seq + 1 :',
      promise: 'native resumes at the very next entry',
    },
    {
      file: 'packages/core/src/format/sse-frames.ts',
      find: "'data: ' + json + '\\nid: ' + cursor + '\\n\\n'",
      replace: "'id: ' + cursor + '\\n\\ndata: ' + json + '\\n\\n'",
      promise: 'a cursor never comes before its data',
    },
    {
      file: `${folder}/routes/streams.ts`,
      find: "lastEventId === undefined || lastEventId === '' ? after : lastEventId",
      replace: 'after ?? lastEventId',
      promise: 'a viewer that comes back by itself goes on from its newest cursor',
    },
    {
      file: `${folder}/pacer.ts`,
      find: 'sink.write(bytes) ? undefined : keepUp()',
      replace: 'sink.write(bytes) ? undefined : undefined',
      promise: 'nothing piles up for a viewer that does not read',
    },
    {
      file: `${folder}/pacer.ts`,
      find: '() => sink.cut())',
      replace: '() => {})',
      promise: 'a viewer that stands still is cut',
    },
    {
      file: `${folder}/pacer.ts`,
      find: 'if (isSilent && !isStanding && !beat()) void keepUp()',
      replace: '',
      promise: 'silence is broken by a sign of life',
    },
    {
      file: `${folder}/pacer.ts`,
      find: 'isSilent && !isStanding',
      replace: 'isSilent',
      promise: 'nothing piles up for a viewer that stands still',
    },
    {
      file: `${folder}/convoy.ts`,
      find: 'isUnderWay && through <=',
      replace: 'false && through <=',
      promise: 'no text is made of what nobody gets',
    },
    {
      file: `${folder}/piece.ts`,
      find: 'size: size + ITSELF',
      replace: 'size',
      promise: 'what says nothing is forgotten too',
    },
    {
      file: `${folder}/fan-out.ts`,
      find: '    viewer.leave()\n',
      replace: '',
      promise: 'a viewer that leaves frees the log',
    },
    {
      file: `${folder}/convoy.ts`,
      find: 'kept[1].after < first',
      replace: 'true',
      promise: 'what somebody waits for is not dropped',
    },
    {
      file: `${folder}/convoy.ts`,
      find: 'entries.return?.().catch(() => undefined)',
      replace: '',
      promise: 'the last to leave frees the log',
    },
    {
      file: `${folder}/fan-out.ts`,
      find: '(isElder || other.after() > position)',
      replace: 'other.after() > position',
      promise: 'viewers at the same place travel together',
    },
    {
      file: `${folder}/fan-out.ts`,
      find: 'found(watch, isWhole ? position : 0)',
      replace: 'found(watch, position)',
      promise: 'a wire with a memory is formatted from its start',
    },
    {
      file: `${folder}/node-sink.ts`,
      find: 'bytes.length.toString(16)',
      replace: 'bytes.length.toString(10)',
      promise: 'a chunk says its length as HTTP wants it',
    },
    {
      file: `${folder}/sse.ts`,
      find: '    sink.cut()\n  } finally',
      replace: '    sink.end()\n  } finally',
      promise: 'a stream that breaks off does not look like its end',
    },
    {
      file: `${folder}/websocket.ts`,
      find: '    sink.cut()\n  } finally',
      replace: '    sink.end()\n  } finally',
      promise: 'a WebSocket that breaks off does not look like its end',
    },
    {
      file: `${folder}/guard.ts`,
      find: 'if (origin !== undefined && !isOriginOf(origin',
      replace: 'if (origin === "" && !isOriginOf(origin',
      promise: 'other pages may not ask',
    },
    {
      file: `${folder}/guard.ts`,
      find: 'if (asked === undefined || !isOurs(asked)) throw',
      replace: 'if (asked === undefined) throw',
      promise: 'a name that only points here is refused',
    },
    {
      file: `${folder}/upgrades.ts`,
      find: '    await guard.checkAccess(asked)\n',
      replace: '',
      promise: 'a WebSocket needs the token too',
    },
    {
      file: `${folder}/body.ts`,
      find: '    if (size > limit) throw tooLarge()\n',
      replace: '',
      promise: 'a body in chunks is refused once it is too large',
    },
    {
      file: `${folder}/body.ts`,
      find: 'if (isTooDeep(text)) throw',
      replace: 'if (text === "deep") throw',
      promise: 'JSON that is too deep to walk is refused',
    },
  ],
}
