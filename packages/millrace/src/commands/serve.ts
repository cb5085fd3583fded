import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Server, ServerOptions } from '@millrace/server'
import { type AgentSettings, agentSettings, isLocalHost, listAgents } from '../agents.ts'
import { command } from '../command.ts'
import { type ConfigFile, configFlag, findConfig } from '../config/find-config.ts'
import { exitCodes, Failure, systemCode, usageError } from '../exit.ts'
import type { Messages } from '../messages.ts'
import { openOutput } from '../output.ts'
import type { Settings, Texts } from '../settings.ts'
import { openStore } from '../store.ts'

/** The built app: in the package, or in the repository. */
const APP = [new URL('../../app', import.meta.url), new URL('../../../../apps/web/dist', import.meta.url)]
  .map((url) => fileURLToPath(url))
  .find((folder) => existsSync(join(folder, 'index.html')))

const flags = {
  config: configFlag,
  port: { type: 'string', value: 'PORT', about: 'the port (default: PORT or 4870); 0 picks a free one' },
  host: { type: 'string', value: 'ADDRESS', about: 'the address to listen on (default: MILLRACE_HOST or 127.0.0.1)' },
  token: {
    type: 'string',
    value: 'TOKEN',
    about: 'the token that clients must send (default: MILLRACE_TOKEN, or a generated one)',
  },
  data: { type: 'string', value: 'FOLDER', about: 'the folder for all data (default: MILLRACE_DATA or .millrace)' },
  'database-url': {
    type: 'string',
    value: 'URL',
    about: 'the PostgreSQL that several servers share (default: MILLRACE_DATABASE_URL, or a file in the data folder)',
  },
  'redis-url': {
    type: 'string',
    value: 'URL',
    about: 'the Redis that wakes servers of a shared database (default: MILLRACE_REDIS_URL, or the database does)',
  },
  origin: {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    about: 'a page elsewhere that may use the API, such as http://localhost:5173 (default: MILLRACE_ORIGINS, or none)',
  },
  'host-name': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    about: 'a further name of the server, such as that of a proxy (default: MILLRACE_HOSTS, or none)',
  },
  'base-path': {
    type: 'string',
    value: 'PATH',
    about: 'serve everything below this path (default: MILLRACE_BASE_PATH, or the root)',
  },
  agents: {
    type: 'string',
    value: 'FOLDER',
    about: 'the folder of agents, one file each (default: MILLRACE_AGENTS or agents)',
  },
  agent: {
    type: 'string',
    multiple: true,
    value: 'NAME=COMMAND',
    about: 'a program as an agent; or NAME, one of this machine',
  },
  'upload-megabytes': { type: 'string', value: 'NUMBER', about: 'the largest file that can be uploaded (default: 64)' },
  'resume-seconds': {
    type: 'string',
    value: 'NUMBER',
    about: 'how long a run waits for its producer to return (default: 60)',
  },
  'stop-seconds': {
    type: 'string',
    value: 'NUMBER',
    about: 'how long an agent may continue after it was asked to stop (default: 5)',
  },
  'drain-seconds': {
    type: 'string',
    value: 'NUMBER',
    about: 'how long to go on without new runs after SIGTERM (default: MILLRACE_DRAIN_SECONDS, or 0)',
  },
  'request-log': {
    type: 'boolean',
    about: 'print one line of JSON on stderr for each request (default: MILLRACE_REQUEST_LOG, or off)',
  },
} as const

export const serve = command({
  usage: 'millrace serve [FLAGS]',
  summary: 'serve the app and the API, with a durable log',
  about: [
    'Prints the address to open, with its token, once the server is ready. Ctrl-C or SIGTERM shuts it down cleanly.',
    'A setting is taken from its flag, else from the environment, else from millrace.config.ts, .js or .json in the working folder, else it has its default. --origin and --host-name may be repeated; their variables are lists with commas.',
    'Other machines can reach it only if --host allows it. Then you must choose a token of at least 16 characters.',
  ],
  examples: [
    'millrace serve',
    'millrace serve --port 8080 --data ~/runs',
    "millrace serve --agent 'survey=python3 agent.py'",
    'millrace serve --origin http://localhost:5173 --origin https://app.example.com',
  ],
  flags,
  takesInterrupts: true,
  async run(values, positionals, messages) {
    if (positionals.length > 0) throw usageError(`serve takes only flags, not "${positionals[0]}".`)
    const file = findConfig(values.config, process.cwd())
    const settings = await settingsFrom(values, file)
    const stop = stopRequest()
    const { server, close } = await start(settings, agentSettings(values, process.env), messages)
    try {
      await printAddress(server, settings, file, messages)
      await stop
      await drain(server, settings, messages)
      messages.note('Stopping.')
    } finally {
      await close()
    }
    return exitCodes.ok
  },
})

/** Imported only here, so that the other commands start without it. */
async function settingsFrom(values: Texts, file: ConfigFile | undefined): Promise<Settings> {
  const { settingsOf } = await import('../settings.ts')
  if (file === undefined) return settingsOf(values, process.env, undefined)
  const { readConfig, registerMembers } = await import('../config/read-config.ts')
  const config = await readConfig(file)
  registerMembers(config)
  return settingsOf(values, process.env, { path: file.path, config })
}

/** Resolves at SIGINT or SIGTERM; a second signal ends the process at once. */
function stopRequest(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.off(signal, onSignal).once(signal, () => process.exit(exitCodes.interrupted))
      }
      resolve()
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
}

async function drain(server: Server, { limits: { drainSeconds } }: Settings, messages: Messages): Promise<void> {
  if (drainSeconds === 0) return
  server.drain()
  messages.note(`Taking no new runs; stopping in ${drainSeconds} s.`)
  await setTimeout(drainSeconds * 1000)
}

async function start(
  settings: Settings,
  named: AgentSettings,
  messages: Messages,
): Promise<{ readonly server: Server; close(): Promise<void> }> {
  const { host, token } = settings
  const [{ createServer, demo }, { tokenProblem }] = await Promise.all([
    import('@millrace/server'),
    import('@millrace/server/settings'),
  ])
  const problem = tokenProblem(token, host)
  if (problem !== undefined) throw usageError(problem, 'Example: millrace serve --token TOKEN')
  const agents = await listAgents(named, { data: settings.data, isLocal: isLocalHost(host), builtIn: [demo()] })
  const store = await openStore(settings, ({ message }) => messages.note(message)).catch((error: unknown) => {
    throw failureOf(error, settings)
  })
  const { log, files } = store
  try {
    const server = await createServer({ log, agents, ...(files && { files }), ...serverOptionsOf(settings) })
    return { server, close: () => server.close().finally(store.close) }
  } catch (error) {
    await store.close()
    throw failureOf(error, settings)
  }
}

const MEGABYTE = 1024 * 1024

function serverOptionsOf(all: Settings): Omit<ServerOptions, 'log' | 'agents'> {
  const { data, token, limits, requestLog, databaseUrl: _database, redisUrl: _redis, ...settings } = all
  const { uploadMegabytes, bodyMegabytes, resumeSeconds, stopSeconds, leaveSeconds, heartbeatSeconds, stallSeconds } =
    limits
  return {
    ...settings,
    dataFolder: data,
    resumeWithin: resumeSeconds * 1000,
    stopWithin: stopSeconds * 1000,
    leaveWithin: leaveSeconds * 1000,
    timing: { heartbeat: heartbeatSeconds * 1000, stallAfter: stallSeconds * 1000 },
    limits: {
      uploadBytes: Math.floor(uploadMegabytes * MEGABYTE),
      bodyBytes: Math.floor(bodyMegabytes * MEGABYTE),
    },
    ...(requestLog && { onRequest: (line: object) => void process.stderr.write(`${JSON.stringify(line)}\n`) }),
    ...(token !== undefined && { token }),
    ...(APP !== undefined && { appFolder: APP }),
  }
}

const reasons: { readonly [code: string]: (settings: Settings, error: unknown) => Failure } = {
  'log-unreachable': (_settings, cause) => new Failure('failed', 'log-unreachable', (cause as Error).message),
  'newer-log': (_settings, cause) => new Failure('failed', 'newer-log', (cause as Error).message),
  'log-corrupt': (_settings, cause) => new Failure('damaged', 'log-corrupt', (cause as Error).message),
  EADDRINUSE: ({ port, host }) =>
    new Failure(
      'failed',
      'port-taken',
      `Port ${port} of ${host} is in use.`,
      'Choose another: millrace serve --port PORT',
    ),
  EACCES: ({ port }) => new Failure('failed', 'port-refused', `Port ${port} cannot be used: permission denied.`),
  EADDRNOTAVAIL: ({ host }) => usageError(`${host} is not an address of this machine.`),
  ENOTFOUND: ({ host }) => usageError(`${host} is not an address of this machine.`),
}

function failureOf(error: unknown, settings: Settings): unknown {
  const code = systemCode(error)
  return (code === undefined ? undefined : reasons[code]?.(settings, error)) ?? error
}

/** Prints the address as one line on stdout, and a note for people on stderr. */
async function printAddress(
  { url, token, port }: Server,
  { data, databaseUrl }: Settings,
  file: ConfigFile | undefined,
  messages: Messages,
): Promise<void> {
  const address = `${url}/?token=${encodeURIComponent(token)}`
  const output = openOutput(undefined)
  output.write(messages.json ? `${JSON.stringify({ url: address, port, token })}\n` : `${address}\n`)
  await output.flush()
  const from = file === undefined ? '' : ` It has read ${file.name}.`
  messages.note(
    `Millrace listens at ${url} and keeps its data in ${databaseUrl === undefined ? data : 'its database'}.${from} Press Ctrl-C to stop.`,
  )
}
