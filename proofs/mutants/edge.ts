import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/deliver'

/** The edge: what a client does to its connection, its token, its bodies or its files does not affect others. */
export const edge: Stage = {
  name: 'edge',
  tests: [
    'packages/server/test/deliver-bodies',
    'packages/server/test/deliver-floods',
    'packages/server/test/deliver-guard',
    'packages/server/test/deliver-sse',
    'packages/server/test/deliver-token',
    'packages/server/test/deliver-upgrades',
    'packages/server/test/routes-files',
  ],
  mutants: [
    {
      file: 'packages/server/src/server.ts',
      find: "  http.on('connection', refuse)\n",
      replace: '',
      promise: 'no connection waits for a server that is not ready',
    },
    {
      file: 'packages/server/src/handler.ts',
      find: 'await Promise.race([recovered, setTimeout(recoverWithin)])',
      replace: 'await recovered',
      promise: 'requests are answered while many runs of an earlier process are still being settled',
    },
    {
      file: 'packages/server/src/api/upgrades.ts',
      find: "    socket.on('error', () => socket.destroy())\n",
      replace: '',
      promise: 'a socket that is reset before its handshake does not end the process',
    },
    {
      file: 'packages/server/src/api/upgrades.ts',
      find: '    if (!asksForWebSocket(request) && readWithoutUpgrade(request, socket, head)) return true\n',
      replace: '',
      promise: 'an upgrade to another protocol than WebSocket is a plain request',
    },
    {
      file: 'packages/server/src/api/upgrades.ts',
      find: 'headWithoutUpgrade(request), head]',
      replace: 'headWithoutUpgrade(request)]',
      promise: 'a plain request keeps its body',
    },
    {
      file: `${folder}/socket-sink.ts`,
      find: 'if (isOpen() && hasRoom(socket)) socket.pong',
      replace: 'if (isOpen()) socket.pong',
      promise: 'pongs do not accumulate for a client that does not read',
    },
    {
      file: `${folder}/websocket.ts`,
      find: 'return hasRoom(socket)',
      replace: 'return true',
      promise: 'a client that answers pings but does not read is disconnected',
    },
    {
      file: 'packages/server/src/api/chat/socket-chat.ts',
      find: '    await sink.drained()\n',
      replace: '',
      promise: 'a chat that does not read its responses is not read',
    },
    {
      file: 'packages/server/src/api/chat/socket-chat.ts',
      find: '      await fail(text, error)\n    }\n  }\n}',
      replace: '      void fail(text, error)\n    }\n  }\n}',
      promise: 'refusals do not accumulate for a chat that does not read',
    },
    {
      file: 'packages/server/src/api/responses.ts',
      find: '      report(error)\n      sink.cut()\n',
      replace: '      sink.end()\n',
      promise: 'a response that fails is reported and cut off',
    },
    {
      file: 'packages/server/src/files/files.ts',
      find: 'const type = checkedMediaType(mediaType)',
      replace: 'const type = mediaType',
      promise: 'a media type that is not a valid header value is not stored',
    },
    {
      file: 'packages/server/src/files/files.ts',
      find: 'return { ...info, mediaType: checkedMediaType(info.mediaType) }',
      replace: 'return info',
      promise: 'the media type that an earlier version stored is checked when it is read',
    },
    {
      file: 'packages/server/src/files/files.ts',
      find: 'INERT.test(mediaType) ? checkedMediaType(mediaType) : BINARY',
      replace: 'checkedMediaType(mediaType)',
      promise: 'an uploaded script is not served as a script',
    },
    {
      file: 'packages/server/src/api/routes/files.ts',
      find: "'private, no-cache'",
      replace: "'private, max-age=31536000, immutable'",
      promise: 'a deleted file is not served from a cache',
    },
    {
      file: 'packages/server/src/api/request.ts',
      find: "  checkEncoding(context.req.header('content-encoding') ?? '')\n",
      replace: '',
      promise: 'a compressed body is refused, not stored',
    },
    {
      file: 'packages/server/src/api/request.ts',
      find: 'of unbroken(bodyOf(context))',
      replace: 'of bodyOf(context)',
      promise: 'a client that disconnects is not reported as an error',
    },
    {
      file: 'packages/server/src/api/token.ts',
      find: "if (token === '') return undefined",
      replace: 'if (token === undefined) return undefined',
      promise: 'an empty token is replaced',
    },
    {
      file: 'packages/server/src/api/token.ts',
      find: '    await closeToOthers(path)\n',
      replace: '',
      promise: 'other users of the machine cannot read the token',
    },
    {
      file: 'packages/server/src/api/token.ts',
      find: 'token.length >= SHORTEST',
      replace: 'token.length >= 1',
      promise: 'a server that others can reach has a token that cannot be guessed',
    },
    {
      file: 'packages/server/src/api/guard.ts',
      find: "[header('host'), ...targetHostOf(incoming)]",
      replace: "[header('host')]",
      promise: 'the request line cannot name another host',
    },
    {
      file: 'packages/server/src/api/guard.ts',
      find: 'return isProxied && /^https',
      replace: 'return /^https',
      promise: 'only a configured proxy sets the protocol of a request',
    },
    {
      file: 'packages/server/src/api/guard.ts',
      find: "cookie('', 0, asked)",
      replace: 'cookie(encodeURIComponent(token), YEAR, asked)',
      promise: 'signing out deletes the cookie',
    },
    {
      file: `${folder}/sse.ts`,
      find: "'private, no-store, no-transform'",
      replace: "'no-cache, no-transform'",
      promise: 'no cache stores a stream',
    },
  ],
}
