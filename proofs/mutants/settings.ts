import type { Stage } from './mutant.ts'

const command = 'packages/millrace/src'
const api = 'packages/server/src/api'

/** Files of settings, flags and variables: which one counts, and what is wrong with it. */
export const settings: Stage = {
  name: 'settings',
  tests: [
    'packages/millrace/src/config',
    'packages/millrace/src/settings.test.ts',
    'packages/millrace/test/config.test.ts',
    'packages/server/src/log/sqlite/sqlite-module.test.ts',
  ],
  mutants: [
    {
      file: `${command}/settings.ts`,
      find: '    ...fromEnvironment.plain,\n    ...fromFlags.plain,\n',
      replace: '    ...fromFlags.plain,\n    ...fromEnvironment.plain,\n',
      promise: 'flags go before the environment',
    },
    {
      file: `${command}/settings.ts`,
      find: '    ...present({ ...fromFile, ...data }),\n    ...fromEnvironment.plain,\n',
      replace: '    ...fromEnvironment.plain,\n    ...present({ ...fromFile, ...data }),\n',
      promise: 'the environment goes before the file',
    },
    {
      file: `${command}/settings.ts`,
      find: '{ ...defaultLimits, ...present(limits ?? {}), ...fromEnvironment.limits,',
      replace: '{ ...defaultLimits, ...(limits ?? {}), ...fromEnvironment.limits,',
      promise: 'a limit that is undefined has its default',
    },
    {
      file: `${command}/settings.ts`,
      find: "resolve(dirname(file?.path ?? ''), fromFile.data)",
      replace: 'fromFile.data',
      promise: 'the data folder of a file is beside the file',
    },
    {
      file: `${command}/settings.ts`,
      find: 'environment[name] || undefined',
      replace: 'environment[name]',
      promise: 'an empty variable counts as unset',
    },
    {
      file: `${command}/config/check-config.ts`,
      find: 'value > 0 && value <= most',
      replace: 'value > 0',
      promise: 'a limit that a timer cannot wait for is refused',
    },
    {
      file: `${command}/config/check-config.ts`,
      find: "if (typeof value !== 'string') return [`${name} must be text in quotes.`]",
      replace: "if (typeof value !== 'string') return [`${name} must be text in quotes.${shown(value)}`]",
      promise: 'a token is never repeated',
    },
    {
      file: `${command}/config/check-config.ts`,
      find: 'isJson ? { ...checks, parsers: notInJson, wires: notInJson } : checks',
      replace: 'checks',
      promise: 'JSON contains no members',
    },
    {
      file: `${command}/config/nearest-name.ts`,
      find: 'edits < fewest && edits < name.length',
      replace: 'edits < 0',
      promise: 'an unknown field is answered with the nearest name',
    },
    {
      file: `${command}/config/find-config.ts`,
      find: 'if (others.length > 0) {',
      replace: 'if (others.length > 5) {',
      promise: 'of two files neither is chosen silently',
    },
    {
      file: `${command}/config/find-config.ts`,
      find: 'file.isJson && !file.isNamed',
      replace: 'file.isJson',
      promise: 'a file that is named is read',
    },
    {
      file: `${command}/config/read-config.ts`,
      find: 'return at < 0 || excerpt === text ? problem :',
      replace: 'return at < 0 || excerpt !== text ? message :',
      promise: 'a message about JSON quotes no token',
    },
    {
      file: `${command}/config/read-config.ts`,
      find: '  for (const [name, wire] of Object.entries(wires)) registerWire(name, wire)\n',
      replace: '',
      promise: 'the wires of the settings are registered',
    },
    {
      file: `${command}/commands/serve.ts`,
      find: 'Math.floor(uploadMegabytes * MEGABYTE)',
      replace: 'Math.floor(uploadMegabytes * 1000 * MEGABYTE)',
      promise: 'limits are in the unit that their name says',
    },
    {
      file: `${command}/formats.ts`,
      find: '!Object.hasOwn(allParsers(), name)',
      replace: '!Object.hasOwn(parsers, name)',
      promise: '--from takes the formats of the settings',
    },
    {
      file: 'packages/server/src/log/sqlite/sqlite-module.ts',
      find: "rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')",
      replace: "rest[0] === 'ExperimentalWarning'",
      promise: 'only the warning about SQLite is left out',
    },
    {
      file: `${command}/targets.ts`,
      find: 'Object.entries(allWires())',
      replace: 'Object.entries({})',
      promise: '--to takes the wires of the settings',
    },
  ],
}

/** Pages of other origins, further names and base paths. */
export const origins: Stage = {
  name: 'origins',
  tests: [
    'packages/server/test/cors',
    'packages/server/test/base-path',
    'packages/react/test/pictures',
    'apps/web/test/stores',
  ],
  mutants: [
    {
      file: `${api}/cors.ts`,
      find: 'Object.values(allWires())',
      replace: 'Object.values({})',
      promise: 'a page may read the headers of every wire',
    },
    {
      file: `${api}/cors.ts`,
      find: "return { vary: 'Origin' }",
      replace: 'return {}',
      promise: 'an answer to no page says that it would differ for one',
    },
    {
      file: `${api}/cors.ts`,
      find: "        vary: 'Origin',\n        'access",
      replace: "        'access",
      promise: 'an answer to a page is not for another page',
    },
    {
      file: `${api}/cors.ts`,
      find: 'origin !== undefined && pages.has(origin)',
      replace: 'origin !== undefined && origins.some((page) => origin.startsWith(page))',
      promise: 'an origin is compared whole, for its headers',
    },
    {
      file: `${api}/guard.ts`,
      find: 'if (origin !== undefined && pages.has(origin)) return',
      replace: 'if (origin !== undefined && origins.some((page) => origin.startsWith(page))) return',
      promise: 'an origin is compared whole, for its requests',
    },
    {
      file: `${api}/cors.ts`,
      find: '...(hasCookies && {',
      replace: '...(origin && {',
      promise: 'the cookie of the token does not cross',
    },
    {
      file: `${api}/cors.ts`,
      find: 'if (!isPreflight || !isApi || !isNamed',
      replace: 'if (!isPreflight || !isNamed',
      promise: 'only the API has preflights',
    },
    {
      file: `${api}/cors.ts`,
      find: "method === 'OPTIONS' && header('access-control-request-method') !== undefined",
      replace: "method === 'OPTIONS'",
      promise: 'OPTIONS of another kind needs the token',
    },
    {
      file: 'packages/server/src/handler.ts',
      find: '      setOnNode(response, cors.headersFor(request.headers.origin))\n',
      replace: '',
      promise: 'streams of Node have the headers',
    },
    {
      file: `${api}/addresses.ts`,
      find: 'return sent === origin ? undefined',
      replace: 'return sent !== undefined ? undefined',
      promise: 'an origin that no browser sends is refused at the start',
    },
    {
      file: `${api}/guard.ts`,
      find: "basePath === '' ? '/' : basePath",
      replace: "'/'",
      promise: 'the cookie is sent below the base path only',
    },
    {
      file: `${api}/app.ts`,
      find: 'location: `${basePath}/`',
      replace: "location: '/'",
      promise: 'the sign-in leads to the app, wherever it is',
    },
    {
      file: `${api}/static-files.ts`,
      find: '`="${basePath}/`',
      replace: "'=\"/'",
      promise: 'the page finds its files below the base path',
    },
    {
      file: `${api}/routes/files.ts`,
      find: 'capped(context, limits.uploadBytes)',
      replace: 'capped(context, 64 * 1024 * 1024)',
      promise: 'the limit of uploads is the one that was set',
    },
    {
      file: 'packages/react/src/segments/chips.tsx',
      find: '? url : `${basePath}${url}`',
      replace: '? url : url',
      promise: 'stored files are loaded from below the base path',
    },
    {
      file: 'apps/web/src/router.ts',
      find: 'pathname.slice(basePath.length)',
      replace: 'pathname',
      promise: 'routes are read below the base path',
    },
    {
      file: 'apps/web/src/router.ts',
      find: '`${basePath}${addressOf(next)}`',
      replace: 'addressOf(next)',
      promise: 'links lead below the base path',
    },
  ],
}
