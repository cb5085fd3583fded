import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/api/sessions'

/** Sessions: one query at a time, never stuck, nothing twice and nothing missing for a client that returns. */
export const sessions: Stage = {
  name: 'sessions',
  tests: ['packages/server/test/sessions'],
  mutants: [
    {
      file: `${folder}/sessions.ts`,
      find: "run.state !== 'waiting' || !(await runs.isAsking(run))",
      replace: 'run.state === undefined',
      promise: 'a session works on one query at a time',
    },
    {
      file: `${folder}/sessions.ts`,
      find: "run.state !== 'waiting' || !(await",
      replace: '!(await',
      promise: 'a run whose question can still be answered is not stopped',
    },
    {
      file: `${folder}/sessions.ts`,
      find: "run.state !== 'waiting' || !(await runs.isAsking(run))",
      replace: 'run.state !== undefined',
      promise: 'a question whose producer is gone keeps no session busy',
    },
    {
      file: `${folder}/sessions.ts`,
      find: ', isAlone: true })',
      replace: ' })',
      promise: 'of two queries at once one is first',
    },
    {
      file: `${folder}/sessions.ts`,
      find: "throw error instanceof LogError && error.code === 'run-live' ? busy() : error",
      replace: 'throw error',
      promise: 'a query that is second hears that the session is busy',
    },
    {
      file: 'packages/server/src/run/start.ts',
      find: '    ...(isAlone && { isAlone }),\n',
      replace: '',
      promise: 'a run that must be alone is alone',
    },
    {
      file: `${folder}/sessions.ts`,
      find: 'listen: (sessionId, ring) => log.watch({ threadId: sessionId }, ring)',
      replace: 'listen: () => () => undefined',
      promise: 'a connected client gets a run that begins',
    },
    {
      file: `${folder}/state.ts`,
      find: 'return mainRuns(await log.runs(sessionId))',
      replace: 'return log.runs(sessionId)',
      promise: "a subagent's own run is none of the session's",
    },
    {
      file: `${folder}/state.ts`,
      find: "interrupted: 'idle'",
      replace: "interrupted: 'processing'",
      promise: 'a session is idle after a crash',
    },
    {
      file: `${folder}/state.ts`,
      find: 'agentFor(choiceIn(sessionId).agentType, settings) ?? used ?? names[0]',
      replace: 'used ?? names[0]',
      promise: 'the agent that was asked for answers',
    },
    {
      file: `${folder}/history.ts`,
      find: '!isJsonObject(metadata) || metadata.streaming !== true',
      replace: 'isJsonObject(metadata)',
      promise: 'no delta is in the history',
    },
    {
      file: `${folder}/history.ts`,
      find: 'messages.slice(-wanted)',
      replace: 'messages.slice(0, wanted)',
      promise: 'the last messages are given, not the first',
    },
    {
      file: `${folder}/history.ts`,
      find: 'if (upTo !== undefined && follows(upTo, entry.seq, index)) return\n',
      replace: '',
      promise: 'the history holds nothing that is still to come',
    },
    {
      file: `${folder}/history.ts`,
      find: 'last === -1 ? undefined : last + 1',
      replace: 'last === -1 ? undefined : runs.length',
      promise: 'the history holds no run that is still to come',
    },
    {
      file: `${folder}/session-position.ts`,
      find: '`${runId}:${cursor}`',
      replace: 'cursor',
      promise: 'a cursor says of which run it is',
    },
    {
      file: `${folder}/follower.ts`,
      find: '      if (silence !== undefined) await silence\n',
      replace: '',
      promise: 'nothing of a live run is sent between the messages of the history',
    },
    {
      file: `${folder}/follower.ts`,
      find: 'if (entry !== undefined && index !== undefined) delivered = ',
      replace: 'if (entry === undefined && index !== undefined) delivered = ',
      promise: 'the history ends at the last message that the client has',
    },
    {
      file: `${folder}/follower.ts`,
      find: 'open === -1 ? -1 : open - 1',
      replace: 'open === -1 ? -1 : open',
      promise: 'a client without a cursor gets the live run',
    },
    {
      file: `${folder}/follower.ts`,
      find: '          bell = Promise.withResolvers()\n          const position = await next()\n',
      replace: '          const position = await next()\n          bell = Promise.withResolvers()\n',
      promise: 'a run that begins while one looks for it is heard',
    },
    {
      file: `${folder}/follower.ts`,
      find: '        leave()\n',
      replace: '',
      promise: 'a client that is gone leaves no listener',
    },
    {
      file: `${folder}/frames.ts`,
      find: 'if (frame.byteLength > FRAME_LIMIT) throw',
      replace: 'if (frame.byteLength < 0) throw',
      promise: 'a message that is too large is refused',
    },
    {
      file: `${folder}/frames.ts`,
      find: 'Object.hasOwn(shapes, type)',
      replace: 'type in shapes',
      promise: 'a property that every object inherits is not a type',
    },
    {
      file: 'packages/server/src/api/sockets/read-frames.ts',
      find: '      await take(next.frame, next.isBinary)',
      replace: '      void take(next.frame, next.isBinary)',
      promise: 'what is sent is answered in its order',
    },
    {
      file: 'packages/server/src/api/sockets/read-frames.ts',
      find: '    if (size >= WAITING) socket.pause()\n',
      replace: '',
      promise: 'frames of a client that does not read are not read',
    },
    {
      file: `${folder}/state.ts`,
      find: 'Object.hasOwn(agents, agentType) ? agents[agentType] : agentType',
      replace: 'Object.hasOwn(agents, agentType) ? agentType : agentType',
      promise: 'an agent answers to the name that the settings give it',
    },
    {
      file: `${folder}/sessions.ts`,
      find: 'choiceIn(sessionId).profile ?? settings.profile',
      replace: 'settings.profile ?? choiceIn(sessionId).profile?.slice(0, 0)',
      promise: 'a session has the profile that it was created with',
    },
    {
      file: `${folder}/sessions.ts`,
      find: 'choiceIn(sessionId).profile ?? settings.profile',
      replace: 'choiceIn(sessionId).profile',
      promise: 'the server chooses the profile of a session that has none',
    },
    {
      file: `${folder}/serve-session.ts`,
      find: 'handle(handlers, frame, isBinary)',
      replace: 'handle(handlers, frame, !isBinary)',
      promise: 'frames are texts',
    },
    {
      file: 'packages/server/src/api/routes/sessions.ts',
      find: '    profile: sessions.profile(id),\n',
      replace: '',
      promise: 'the history is in the profile of the session',
    },
    {
      file: 'packages/server/src/api/errors.ts',
      find: "path.startsWith('/api/v2/') ? ",
      replace: 'path.length < 0 ? ',
      promise: 'an error says what it is in `detail`',
    },
    {
      file: `${folder}/follower.ts`,
      find: "position === '0' || runs.some(({ id }) => id === runId)",
      replace: 'runs.length >= 0',
      promise: 'a run of another session is refused',
    },
    {
      file: 'packages/server/src/api/routes/sessions.ts',
      find: "pathname.slice(0, pathname.lastIndexOf('/api/v2/sessions'))",
      replace: 'pathname.slice(0, 0)',
      promise: 'the WebSocket is named as the client reaches it',
    },
  ],
}
