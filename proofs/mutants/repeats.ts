import type { Stage } from './mutant.ts'

const deliver = 'packages/server/src/deliver'
const api = 'packages/server/src/api'

/** Repeats: what works once works again, and whoever leaves or fails leaves nothing behind. */
export const repeats: Stage = {
  name: 'repeats',
  tests: [
    'packages/server/test/repeat-',
    'packages/server/test/viewers-leave',
    'packages/server/test/holder-throws',
    'packages/server/test/deliver-sinks',
    'packages/server/test/sessions-ends',
    'packages/server/test/run-makers',
    'packages/core/src/fold/join-runs.test.ts',
  ],
  mutants: [
    {
      file: 'packages/server/src/run/restore.ts',
      find: '    await logged.return()\n',
      replace: '',
      promise: 'restoring a run leaves no reader at the log',
    },
    {
      file: `${deliver}/web-sink.ts`,
      find: '      if (!isOver) controller?.close()\n      leave()\n',
      replace: '      if (!isOver) controller?.close()\n      isOver = true\n',
      promise: 'a finished response of the web leaves no listener',
    },
    {
      file: `${deliver}/websocket.ts`,
      find: "socket.on('pong'",
      replace: "socket.once('pong'",
      promise: 'a client that answers every ping stays',
    },
    {
      file: `${deliver}/pacer.ts`,
      find: '    this.#isSilent = true\n    if',
      replace: '    if',
      promise: 'each silence gets its sign of life',
    },
    {
      file: `${deliver}/node-sink.ts`,
      find: "response.off('drain', settle).off('close', settle)",
      replace: "response.off('drain', settle)",
      promise: 'waiting for a client again and again leaves no listeners',
    },
    {
      file: 'packages/server/src/deliver/viewer.ts',
      find: "    this.#watch.signal.removeEventListener('abort', this.#onAbort)\n",
      replace: '',
      promise: 'a viewer leaves no listener on a connection that goes on',
    },
    {
      file: `${deliver}/status-frames.ts`,
      find: '  due = first()\n  sendDue().catch(fail)\n',
      replace: '  due = first()\n  void sendDue()\n',
      promise: 'a write that fails under a status does not end the process',
    },
    {
      file: `${api}/chat/socket-chat.ts`,
      find: '      if (aborted.signal.aborted) return\n',
      replace: '',
      promise: 'a request can be aborted before its run is found',
    },
    {
      file: `${api}/chat/socket-chat.ts`,
      find: '    } finally {\n      openRequests--\n',
      replace: '      openRequests--\n    } finally {\n',
      promise: 'refused requests give their room back',
    },
    {
      file: `${api}/chat/socket-chat.ts`,
      find: 'if (streams.get(requestId) === aborted) streams.delete(requestId)',
      replace: 'streams.delete(requestId)',
      promise: 'an id that is used again can be aborted again',
    },
    {
      file: `${api}/sockets/read-frames.ts`,
      find: 'size -= next.frame.byteLength + ITSELF',
      replace: 'size -= next.frame.byteLength',
      promise: 'many small frames do not stop the reading',
    },
    {
      file: `${api}/chat/socket-chat.ts`,
      find: '=== aborted) streams.delete(requestId)',
      replace: '=== aborted) streams.clear()',
      promise: 'a request that is over takes nothing from the others',
    },
    {
      file: `${api}/branch.ts`,
      find: 'messages.findLastIndex(({ runIds })',
      replace: 'messages.findIndex(({ runIds })',
      promise: 'a question follows the last answer',
    },
    {
      file: `${api}/chat/message-runs.ts`,
      find: 'all.toReversed()',
      replace: 'all',
      promise: 'a message goes on with the newest run that continues it',
    },
    {
      file: `${api}/pauses.ts`,
      find: '    if (isRequest) answeredAt.delete(event.approvalId)\n',
      replace: '',
      promise: 'an approval that is asked again is open again',
    },
    {
      file: `${api}/routes/sessions.ts`,
      find: 'await deleteThreadAndFiles(services, id)',
      replace: 'await services.log.deleteThread(id)',
      promise: 'a deleted session leaves no files',
    },
    {
      file: 'packages/core/src/fold/join-runs.ts',
      find: '      for (const key of openKeys) askedBy.set(key, chatEvent)\n',
      replace: '      for (const key of openKeys) if (!askedBy.has(key)) askedBy.set(key, chatEvent)\n',
      promise: 'an output belongs to the last call before it',
    },
    {
      file: `${api}/responses.ts`,
      find: "  if (context.req.method === 'HEAD') return headOfStream(context, parts[0].wire)\n",
      replace: '',
      promise: 'HEAD of a stream does not wait for its end',
    },
  ],
}
