import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Server } from '@millrace/server/server'
import { command } from '../command.ts'
import { exitCodes, Failure, systemCode, usageError } from '../exit.ts'
import { openOutput } from '../output.ts'
import type { Talk } from '../talk.ts'

const DEFAULT_PORT = 4870
const APP = fileURLToPath(new URL('../../../../apps/web/dist', import.meta.url))

const flags = {
  port: {
    type: 'string',
    value: 'PORT',
    about: `the port, ${DEFAULT_PORT} unless PORT or this says another; 0 is any`,
  },
  host: { type: 'string', value: 'ADDRESS', about: 'the address to listen on, 127.0.0.1 unless MILLRACE_HOST or this' },
  token: { type: 'string', value: 'TOKEN', about: 'what clients must show; generated unless MILLRACE_TOKEN or this' },
  data: { type: 'string', value: 'FOLDER', about: 'where everything is kept, .millrace unless MILLRACE_DATA or this' },
} as const

type Values = { readonly [Flag in keyof typeof flags]?: string }

export const serve = command({
  usage: 'millrace serve [--port PORT] [--host ADDRESS] [--token TOKEN] [--data FOLDER]',
  summary: 'serve the app and the API, with a durable log',
  about: [
    'Prints the address to open, with its token, once the server answers. Ctrl-C or SIGTERM ends it in good order.',
    'Others than this machine reach it only where --host says so, and then it wants a token of 16 characters that you choose.',
  ],
  examples: ['millrace serve', 'millrace serve --port 8080 --data ~/runs'],
  flags,
  takesInterrupts: true,
  async run(values, positionals, talk) {
    if (positionals.length > 0) throw usageError(`serve takes flags alone, not "${positionals[0]}".`)
    const settings = settingsOf(values, process.env)
    const stop = stopRequest()
    const { server, close } = await start(settings)
    try {
      await tell(server, settings, talk)
      await stop
      talk.note('Stopping.')
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

/** A flag decides; else the environment, in which an empty word counts for nothing. */
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
  if (!(port <= 65_535)) throw usageError(`"${text}" is no port: it is a number from 0 to 65535.`)
  return port
}

/** Resolves when somebody asks to stop; who asks a second time is not kept waiting. */
function stopRequest(): Promise<void> {
  return new Promise((resolve) => {
    const asked = () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.off(signal, asked).once(signal, () => process.exit(exitCodes.interrupted))
      }
      resolve()
    }
    process.on('SIGINT', asked).on('SIGTERM', asked)
  })
}

async function start(settings: Settings): Promise<{ readonly server: Server; close(): Promise<void> }> {
  const { port, host, token, data } = settings
  // Only here, so that the other commands start without it.
  const [{ createServer }, { tokenProblem }, { getLog }, { demo }] = await Promise.all([
    import('@millrace/server/server'),
    import('@millrace/server/api/token'),
    import('@millrace/server/log/index'),
    import('@millrace/server/run/demo'),
  ])
  const problem = tokenProblem(token, host)
  if (problem !== undefined) throw usageError(problem, 'Such as: millrace serve --token TOKEN')
  const log = await getLog('sqlite')
    .open({ folder: join(data, 'log') })
    .catch((error: unknown) => {
      throw failureOf(error, settings)
    })
  const options = { log, agents: [demo()], dataFolder: data, host, port, appFolder: APP }
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
    new Failure('failed', 'port-taken', `Port ${port} of ${host} is taken.`, 'Another one: millrace serve --port PORT'),
  EACCES: ({ port }) => new Failure('failed', 'port-refused', `Port ${port} may not be used.`),
  EADDRNOTAVAIL: ({ host }) => usageError(`${host} is no address of this machine.`),
  ENOTFOUND: ({ host }) => usageError(`${host} is no address of this machine.`),
}

function failureOf(error: unknown, settings: Settings): unknown {
  const code = systemCode(error)
  return (code === undefined ? undefined : reasons[code]?.(settings, error)) ?? error
}

/** One line on stdout: the address. The rest is talk. */
async function tell({ url, token, port }: Server, { data }: Settings, talk: Talk): Promise<void> {
  const address = `${url}/?token=${encodeURIComponent(token)}`
  const output = openOutput(undefined)
  output.write(talk.json ? `${JSON.stringify({ url: address, port, token })}\n` : `${address}\n`)
  await output.flush()
  talk.note(`Millrace answers at ${url} and keeps everything in ${data}. Ctrl-C ends it.`)
}
