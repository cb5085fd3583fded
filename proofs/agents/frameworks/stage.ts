import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { StreamEvent } from '@millrace/core/events'
import { type ChatEvent, fold } from '@millrace/core/fold'
import { getParser, type Parser } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { getSource, type RawRecord } from '@millrace/core/source'
import { eventsOf } from '@millrace/testkit/read-recording'
import { entriesOf } from '@millrace/testkit/runs'
import { startProvider } from '../../../recorders/provider/server.ts'
import { type Address, addressOf, COMMAND } from '../workplace.ts'
import type { Framework } from './registry.ts'
import { answerOf } from './script.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The frameworks are installed here; a file below finds them, and the packages of the repository above. */
const RECORDERS = join(root, 'recorders')
const DIRECT = fileURLToPath(new URL('./direct.mjs', import.meta.url))

/** The name of the agent in every page. */
export const AGENT = 'pilot'

/** A server with the files of a page as its agents. */
export interface FrameworkStage extends Address {
  readonly folder: string
  /** The lines of the agent's own file. */
  readonly lines: number
  /** What the same stream gives without Millrace, as a person would see it. */
  direct(text: string): Promise<readonly ChatEvent[]>
  /** Ends the server, and starts it again on the same data. */
  restart(): Promise<Address>
  close(): Promise<void>
}

export function versionOf(packageName: string): string {
  const text = readFileSync(join(RECORDERS, 'node_modules', packageName, 'package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

interface Thrown {
  readonly name: string
  readonly message: string
}

function thrownIn(stderr: string): Thrown | undefined {
  const [, json] = /\n(\{"thrown":.*\})$/.exec(stderr) ?? []
  return json === undefined ? undefined : (JSON.parse(json) as { thrown: Thrown }).thrown
}

/** The events of a stream. What it throws is its end, unless its records have said already that it failed. */
function aloneEvents(
  parser: Parser,
  records: readonly RawRecord[],
  thrown: Thrown | undefined,
): readonly StreamEvent[] {
  const events = eventsOf(parser, records)
  const end = events.at(-1)
  if (thrown === undefined || (end?.type === 'run-end' && end.outcome === 'error')) return events
  const { name, message } = thrown
  const reader = createReader(parser)
  const error = { message, ...(name !== 'Error' && { name }) }
  return [
    ...records.flatMap((record) => reader.push(record)),
    ...reader.close({ type: 'run-end', outcome: 'error', error }),
  ]
}

/** The files of a page: each begins with a line that has its path. */
function filesOf(page: string): readonly (readonly [path: string, code: string])[] {
  const text = readFileSync(join(root, 'docs/frameworks', `${page}.md`), 'utf8')
  return [...text.matchAll(/```ts\n(\/\/ (agents\/\S+)\n[\s\S]*?)```/g)].map(([, code = '', path = '']) => [path, code])
}

export async function openStage({ page, environment }: Framework): Promise<FrameworkStage> {
  const folder = mkdtempSync(join(RECORDERS, '.agents-'))
  for (const name of ['home', 'data', 'tmp']) mkdirSync(join(folder, name))
  const files = filesOf(page)
  for (const [path, code] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  const file = join(folder, `agents/${AGENT}.ts`)
  const provider = await startProvider(answerOf)
  const env = {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    ...environment(provider.url),
  }
  let server: ChildProcess | undefined

  async function start(): Promise<Address> {
    server = spawn(process.execPath, [COMMAND, 'serve', '--data', join(folder, 'data'), '--port', '0'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return addressOf(server)
  }

  async function stop(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGTERM')
    await once(server, 'exit')
  }

  return {
    ...(await start()),
    folder,
    lines: readFileSync(file, 'utf8').trimEnd().split('\n').length,
    async direct(text) {
      const format = /format: '([\w-]+)'/.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
      const options = { cwd: folder, env, maxBuffer: 1 << 26, encoding: 'buffer' as const }
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [DIRECT, file, text], options)
      const source = getSource('json-lines')()
      const records = [...source.feed(stdout), ...source.end()]
      if (records.length === 0) throw new Error('The stream alone gives nothing.')
      return fold(entriesOf(aloneEvents(getParser(format), records, thrownIn(String(stderr))))).chatEvents
    },
    async restart() {
      await stop()
      return start()
    },
    async close() {
      await stop()
      provider.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
