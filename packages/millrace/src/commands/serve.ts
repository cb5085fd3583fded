import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Server } from '@millrace/server'
import { command } from '../command.ts'
import { exitCodes, Failure, systemCode, usageError } from '../exit.ts'
import type { Messages } from '../messages.ts'
import { openOutput } from '../output.ts'

const DEFAULT_PORT = 4870

/** The built app: in the package, or in the repository. */
const APP = [new URL('../../app', import.meta.url), new URL('../../../../apps/web/dist', import.meta.url)]
  .map((url) => fileURLToPath(url))
  .find((folder) => existsSync(join(folder, 'index.html')))

const flags = {
  port: {
    type: 'string',
    value: 'PORT',
    about: `the port (default: PORT or ${DEFAULT_PORT}); 0 picks a free one`,
  },
  host: { type: 'string', value: 'ADDRESS', about: 'the address to listen on (default: MILLRACE_HOST or 127.0.0.1)' },
  token: {
    type: 'string',
    value: 'TOKEN',
    about: 'the token that clients must send (default: MILLRACE_TOKEN, or a generated one)',
  },
  data: { type: 'string', value: 'FOLDER', about: 'the folder for all data (default: MILLRACE_DATA or .millrace)' },
} as const

type Values = { readonly [Flag in keyof typeof flags]?: string }

export const serve = command({
  usage: 'millrace serve [--port PORT] [--host ADDRESS] [--token TOKEN] [--data FOLDER]',
  summary: 'serve the app and the API, with a durable log',
  about: [
    'Prints the address to open, with its token, once the server is ready. Ctrl-C or SIGTERM shuts it down cleanly.',
    'Other machines can reach it only if --host allows it. Then you must choose a token of at least 16 characters.',
  ],
  examples: ['millrace serve', 'millrace serve --port 8080 --data ~/runs'],
  flags,
  takesInterrupts: true,
  async run(values, positionals, messages) {
    if (positionals.length > 0) throw usageError(`serve takes only flags, not "${positionals[0]}".`)
    const settings = settingsOf(values, process.env)
    const stop = stopRequest()
    const { server, close } = await start(settings)
    try {
      await printAddress(server, settings, messages)
      await stop
      messages.note('Stopping.')
    } finally {
      await close()
    }
    return exitCodes.ok
  },
})

interface Settings {
  readonly port: number
  readonly host: string
  readonly token: string | undefined
  readonly data: string
}

/** Flags take precedence over the environment; an empty environment variable counts as unset. */
function settingsOf(values: Values, environment: NodeJS.ProcessEnv): Settings {
  const { PORT, MILLRACE_HOST, MILLRACE_TOKEN, MILLRACE_DATA } = environment
  return {
    port: portOf(values.port ?? (PORT || String(DEFAULT_PORT))),
    host: values.host ?? (MILLRACE_HOST || '127.0.0.1'),
    token: values.token ?? (MILLRACE_TOKEN || undefined),
    data: values.data ?? (MILLRACE_DATA || '.millrace'),
  }
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw usageError(`"${text}" is not a valid port: it must be a number from 0 to 65535.`)
  return port
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

async function start(settings: Settings): Promise<{ readonly server: Server; close(): Promise<void> }> {
  const { port, host, token, data } = settings
  // Imported only here, so that the other commands start without it.
  const [{ createServer, demo, tokenProblem }, { getLog }] = await Promise.all([
    import('@millrace/server'),
    import('@millrace/server/log'),
  ])
  const problem = tokenProblem(token, host)
  if (problem !== undefined) throw usageError(problem, 'Example: millrace serve --token TOKEN')
  const log = await getLog('sqlite')
    .open({ folder: join(data, 'log') })
    .catch((error: unknown) => {
      throw failureOf(error, settings)
    })
  const options = { log, agents: [demo()], dataFolder: data, host, port, ...(APP !== undefined && { appFolder: APP }) }
  try {
    const server = await createServer({ ...options, ...(token !== undefined && { token }) })
    return { server, close: () => server.close().finally(() => log.close()) }
  } catch (error) {
    await log.close()
    throw failureOf(error, settings)
  }
}

const reasons: { readonly [code: string]: (settings: Settings, error: unknown) => Failure } = {
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
async function printAddress({ url, token, port }: Server, { data }: Settings, messages: Messages): Promise<void> {
  const address = `${url}/?token=${encodeURIComponent(token)}`
  const output = openOutput(undefined)
  output.write(messages.json ? `${JSON.stringify({ url: address, port, token })}\n` : `${address}\n`)
  await output.flush()
  messages.note(`Millrace listens at ${url} and keeps its data in ${data}. Press Ctrl-C to stop.`)
}
