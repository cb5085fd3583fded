import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Provider, startProvider } from '../../recorders/provider/server.ts'
import type { Cli } from './clis.ts'
import { BIN } from './install.ts'
import { scriptFor } from './scenario.ts'

export const COMMAND = fileURLToPath(new URL('../../packages/millrace/bin/millrace.js', import.meta.url))

export interface Address {
  readonly url: string
  readonly token: string
}

/** One program's home, project and provider, and the server that runs it. */
export interface Workplace {
  /** Holds all that the program and the server may write. */
  readonly folder: string
  readonly project: string
  readonly traces: string
  start(): Promise<Address>
  /** SIGTERM, as a restart does. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** Files that are written elsewhere are found by their group. Only root may choose it. */
export const isRoot = process.getuid?.() === 0

export async function openWorkplace(cli: Cli, group: number): Promise<Workplace> {
  const folder = mkdtempSync(join(tmpdir(), `millrace-agents-${cli.name}-`))
  const [home, project, data, temporary] = ['home', 'project', 'data', 'tmp'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const each of [home, project, data, temporary]) mkdirSync(each)
  const provider: Provider = await startProvider(scriptFor(cli, project))
  for (const [path, text] of Object.entries(cli.settings(provider.url))) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  // Nothing of the person who runs the proof.
  const environment = {
    PATH: [BIN, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    MILLRACE_TRACE: '1',
    ...cli.variables(provider.url),
  }
  let server: ChildProcess | undefined

  async function stop(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGTERM')
    await once(server, 'exit')
  }

  return {
    folder,
    project,
    traces: join(data, 'trace'),
    async start() {
      server = spawn(process.execPath, [COMMAND, 'serve', '--data', data, '--port', '0'], {
        cwd: project,
        env: environment,
        stdio: ['ignore', 'pipe', 'ignore'],
        ...(isRoot && { gid: group }),
      })
      return addressOf(server)
    },
    stop,
    async close() {
      await stop()
      provider.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Where a server that was started listens: the first line that it prints. */
export function addressOf(server: ChildProcess): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.stdout?.once('data', (bytes) => {
      const { origin, searchParams } = new URL(String(bytes).trim())
      resolve({ url: origin, token: searchParams.get('token') ?? '' })
    })
    server.once('exit', () => reject(new Error('The server did not start.')))
  })
}
