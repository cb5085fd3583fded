import type { Stage } from './mutant.ts'

/** Tools that clients run, and chats over a WebSocket. */
export const chat: Stage = {
  name: 'chat',
  tests: [
    'packages/server/test/client-tools.test.ts',
    'packages/server/test/chat-socket.test.ts',
    'packages/server/test/chat-branches.test.ts',
    'test/clients.test.ts',
  ],
  mutants: [
    {
      file: 'packages/core/src/wire/ai-sdk/tools.ts',
      find: 'const executed = { ...call.fields, providerExecuted: true }',
      replace: 'const executed = call.fields',
      promise: 'a client that has run its tools asks once',
    },
    {
      file: 'packages/core/src/wire/ai-sdk/tools.ts',
      find: 'if (!hasStartChunk && !isContinued) return',
      replace: 'if (!hasStartChunk) return',
      promise: 'a message that is replayed has the outputs of its client',
    },
    {
      file: 'packages/core/src/wire/ag-ui/tools.ts',
      find: 'if (messages.roleOf(event) === undefined) return',
      replace: '',
      promise: 'a client does not get the calls that it has run itself',
    },
    {
      file: 'packages/server/src/run/client-outputs.ts',
      find: ', meta: { millrace: { orphan: true } }',
      replace: '',
      promise: 'an output is shown where its call stands',
    },
    {
      file: 'packages/server/src/run/client-outputs.ts',
      find: "if (call === undefined) throw new RunRefusal('not-open', callId)",
      replace: 'if (call === undefined) return []',
      promise: 'nothing is taken for a call that waits for nothing',
    },
    {
      file: 'packages/server/src/api/client-tools.ts',
      find: '      idempotencyKey: `',
      replace: '      idempotencyKey: `${Math.random()}',
      promise: 'outputs that are sent again start nothing twice',
    },
    {
      file: 'packages/server/src/api/pauses.ts',
      find: 'first: answers.length === 0 ? seq + 1 : Math.max(...answers)',
      replace: 'first: 0',
      promise: 'a response does not end at a pause before its answer',
    },
    {
      file: 'packages/server/src/api/pauses.ts',
      find: 'isAsking && !isEnded && last',
      replace: 'isAsking && last',
      promise: 'a run that has ended is replayed to its end',
    },
    {
      file: 'packages/server/src/api/pauses.ts',
      find: 'isEnded && answers.length === 0 && after === lastCursor',
      replace: 'false',
      promise: 'an answer that comes too late is refused',
    },
    {
      file: 'packages/server/src/api/chat/message-runs.ts',
      find: "typeof messageId === 'string' ? messageId : undefined",
      replace: 'undefined',
      promise: 'the next run goes on with the same message',
    },
    {
      file: 'packages/server/src/api/chat/conversation.ts',
      find: 'return first === undefined ? [end] : [first, ...rest, end]',
      replace: 'return [end]',
      promise: 'a message is replayed from its first run on',
    },
    {
      file: 'packages/server/src/api/history.ts',
      find: 'lineageOf(runs).findLast(',
      replace: 'runs.findLast(',
      promise: 'a question that was left for another answer does not come back',
    },
    {
      file: 'packages/server/src/run/client-outputs.ts',
      find: 'toolOutputs: [...lastByCall.values()]',
      replace: 'toolOutputs: input.toolOutputs',
      promise: 'an output that comes twice is taken once',
    },
    {
      file: 'packages/server/src/run/client-outputs.ts',
      find: 'at: endedAt, event',
      replace: 'at: 0, event',
      promise: "in the history a client's call ends with the run that made it",
    },
    {
      file: 'packages/server/src/api/chat/socket-chat.ts',
      find: '      openRequests--\n',
      replace: '',
      promise: 'a request that is answered no longer counts',
    },
    {
      file: 'packages/server/src/api/chat/socket-chat.ts',
      find: 'if (openRequests >= MOST_AT_ONCE) throw',
      replace: 'if (openRequests < 0) throw',
      promise: 'a connection has so many answers at once',
    },
    {
      file: 'packages/server/src/api/chat/socket-chat.ts',
      find: 'sequence: sequence++',
      replace: 'sequence: ++sequence',
      promise: 'chunks are numbered from 0',
    },
    {
      file: 'packages/server/src/api/chat/socket-chat.ts',
      find: "await send({ type: 'no-active', requestId })",
      replace: "await send({ type: 'end', requestId })",
      promise: 'a client that resumes a chat without a live run learns so',
    },
  ],
}
