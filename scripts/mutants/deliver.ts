import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/deliver'

/** Delivery: exactly what follows a cursor, nothing piled up, nobody let in. */
export const deliver: Stage = {
  name: 'deliver',
  tests: [
    'packages/server/test/deliver-',
    'packages/server/test/routes-fuzz',
    'packages/server/test/routes-ingest',
    'test/faults-edge.test.ts',
  ],
  mutants: [
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
      file: `${folder}/chunks.ts`,
      find: 'after !== undefined ? after.seq : 0',
      replace: 'after !== undefined ? after.seq + 1 : 0',
      promise: 'native resumes at the very next entry',
    },
    {
      file: 'packages/core/src/format/sse-frames.ts',
      find: "'data: ' + data + '\\nid: ' + cursor + '\\n\\n'",
      replace: "'id: ' + cursor + '\\n\\ndata: ' + data + '\\n\\n'",
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
      find: 'if (!write()) await keepUp()',
      replace: 'write()',
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
      find: '() => void pace(beat))',
      replace: '() => {})',
      promise: 'silence is broken by a sign of life',
    },
    {
      file: `${folder}/sse.ts`,
      find: 'live: true, signal: sink.closed })',
      replace: 'live: true })',
      promise: 'a viewer that leaves frees the log',
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
      find: '    guard.checkToken(asked)\n',
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
