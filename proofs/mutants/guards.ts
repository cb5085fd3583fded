import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/api'

/** Guards: who may ask what, under every name, from every page, in every spelling of a path. */
export const guards: Stage = {
  name: 'guards',
  tests: ['packages/server/test/guard-', 'packages/server/test/paths'],
  mutants: [
    {
      file: `${folder}/guard.ts`,
      find: "[header('host'), ...targetHostOf(incoming)]",
      replace: "[targetHostOf(incoming)[0] ?? header('host')]",
      promise: 'the host header is checked beside the request line',
    },
    {
      file: `${folder}/guard.ts`,
      find: "pair.trim().split('=')",
      replace: "pair.split('=')",
      promise: 'the cookie is found behind other cookies',
    },
    {
      file: `${folder}/guard.ts`,
      find: "site !== 'same-origin' && site !== 'none'",
      replace: "site === 'cross-site'",
      promise: 'a page of the same site may not ask',
    },
    {
      file: `${folder}/guard.ts`,
      find: 'if (!isSafe && isSentUnasked(header)',
      replace: "if (!isSafe && header('cookie') !== undefined",
      promise: 'a password that a browser adds is no proof of intent',
    },
    {
      file: `${folder}/app.ts`,
      find: 'if (request.isApi) setHeaders(context)',
      replace: 'if (request.isApi && request.isSafe) setHeaders(context)',
      promise: 'answers to changes have the headers too',
    },
    {
      file: `${folder}/app.ts`,
      find: '    await guard.checkAccess(guardedRequestOf(context))\n    const allowed',
      replace: '    const allowed',
      promise: 'nobody learns without access which routes there are',
    },
    {
      file: `${folder}/app.ts`,
      find: "methods: method === 'GET' ? ['GET', 'HEAD'] : [method]",
      replace: 'methods: [method]',
      promise: 'a wrong method is told all right ones',
    },
    {
      file: `${folder}/upgrades.ts`,
      find: '    ...remedies[status],\n',
      replace: '',
      promise: 'a refused WebSocket says which credentials are wanted',
    },
    {
      file: `${folder}/static-files.ts`,
      find: 'folder.endsWith(sep) ? folder : folder + sep',
      replace: 'folder',
      promise: 'no file of a folder with a longer name is served',
    },
    {
      file: `${folder}/static-files.ts`,
      find: 'new Response(null, { status: 304, headers })',
      replace: 'new Response(null, { status: 304, headers: { etag: found.tag } })',
      promise: 'an unchanged page has all headers',
    },
  ],
}
