import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/deliver'

/** The handler in a host's server: it responds like a stand-alone server, and accepts no other requests. */
export const mount: Stage = {
  name: 'mount',
  tests: ['packages/server/test/handler', 'examples/'],
  mutants: [
    {
      file: 'packages/server/src/api/guard.ts',
      find: '!isSafe && isSentUnasked(header) && !isFromOurPage(header)',
      replace: '!isSafe && isSentUnasked(header) && !isFromOurPage(header) && header("host") === ""',
      promise: 'a change by a cookie must name the page that sent it',
    },
    {
      file: 'packages/server/src/api/guard.ts',
      find: 'if (isAuthorized !== true)',
      replace: 'if (!isAuthorized)',
      promise: 'only `true` grants access',
    },
    {
      file: 'packages/server/src/api/guard.ts',
      find: 'if (origin !== undefined && pages.has(origin)) return',
      replace: 'if (pages.size > 0) return',
      promise: 'only the origins that the host has configured are accepted',
    },
    {
      file: 'packages/server/src/api/guard.ts',
      find: 'const cookieName = port === undefined ? undefined :',
      replace: 'const cookieName = port === -1 ? undefined :',
      promise: 'without the app no cookie carries the token',
    },
    {
      file: 'packages/server/src/api/app.ts',
      find: '      if (isBodyTaken(context)) throw bodyTaken()\n',
      replace: '',
      promise: 'a body that the host has already read is an error',
    },
    {
      file: 'packages/server/src/api/app.ts',
      find: "    if (services.shutdown.aborted) throw new ApiError(503, 'closing', 'The server is closing.')\n",
      replace: '',
      promise: 'a closed handler refuses requests',
    },
    {
      file: 'packages/server/src/api/app.ts',
      find: '    if (isWebSocket(request)) await guard.checkAccess(request).then(refuseWebSocket)\n',
      replace: '',
      promise: 'a host without WebSockets reports that',
    },
    {
      file: 'packages/server/src/api/request.ts',
      find: "  if (typeof originalUrl === 'string') request.url = originalUrl\n",
      replace: '',
      promise: 'the part of the URL that Express cuts off is restored',
    },
    {
      file: 'packages/server/src/api/request.ts',
      find: 'path.startsWith(`${basePath}/`)',
      replace: 'path.startsWith(basePath)',
      promise: 'a path that only begins like the base path is not handled',
    },
    {
      file: `${folder}/web-sink.ts`,
      find: "  else left?.addEventListener('abort', abort, { once: true })\n",
      replace: '',
      promise: 'a viewer whose request was aborted has left',
    },
    {
      file: `${folder}/node-sink.ts`,
      find: 'chunkedEncoding && write === ServerResponse.prototype.write',
      replace: 'chunkedEncoding && write !== undefined && ServerResponse !== undefined',
      promise: 'middleware sees the written bytes',
    },
    {
      file: 'packages/server/src/api/responses.ts',
      find: 'RESPONSE_ALREADY_SENT.clone()',
      replace: 'new Response(null, RESPONSE_ALREADY_SENT)',
      promise: 'a host that replaces `Response` changes nothing',
    },
    {
      file: 'packages/server/src/handler.ts',
      find: 'runs.recover().then(',
      replace: 'Promise.resolve().then(',
      promise: 'the open runs of an earlier process are settled at the start',
    },
  ],
}
