import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What is started. */
export interface Programs {
  /** The command `millrace`. */
  readonly command: string
  /** The server with other timeouts. */
  readonly impatient: string
  readonly compileCache?: string
}

const sources: Programs = {
  command: fileURLToPath(new URL('../../packages/millrace/bin/millrace.js', import.meta.url)),
  impatient: fileURLToPath(new URL('./serve.ts', import.meta.url)),
}

let programs = sources

/** From now on these are started, not the sources. */
export function startFrom(built: Programs): void {
  programs = built
}

export interface Address {
  readonly port: number
  readonly token: string
}

/** The timeouts of the server, in ms. */
export interface Patience {
  readonly stallAfter: number
  readonly heartbeat: number
  readonly resumeWithin: number
}

/** Where a server keeps what it must not lose: in its folder, or in a database that it shares. */
export interface Store {
  readonly data: string
  readonly shared?: SharedStore
  /** Variables beside those of the system. */
  readonly environment?: { readonly [name: string]: string }
}

/** Each server of a shared store has a folder of its own. */
interface SharedStore {
  readonly databaseUrl: string
  readonly redisUrl?: string
  /** After this time, in ms, others may decide about the runs of a server that is gone. */
  readonly leaseTtl: number
  readonly token: string
}

/** The real server, in a process of its own. */
export interface ServerProcess extends Address {
  /** SIGKILL: the process finishes nothing. */
  kill(): Promise<void>
  /** SIGSTOP: it does nothing, and does not notice. */
  pause(): void
  continue(): void
  isAlive(): boolean
  /** The end of what it has printed as errors. */
  complaint(): string
  /** In MB; undefined if the system does not report it. */
  memory(): number | undefined
  /** The time of the processor that it has used, in ms; undefined if the system does not report it. */
  worked(): number | undefined
}

const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Starts `millrace serve`, or the same with other timeouts. Resolves when it answers. */
export async function startServer(store: Store, port = 0, patience?: Patience): Promise<ServerProcess> {
  const { data } = store
  const ownArgs =
    patience === undefined
      ? [programs.command, 'serve', '--data', data, '--port', String(port)]
      : [programs.impatient, data, JSON.stringify({ ...patience, port })]
  const child = spawn(process.execPath, ownArgs, { stdio: ['ignore', 'pipe', 'pipe'], env: environmentOf(store) })
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  let complaint = ''
  child.stderr.on('data', (bytes) => {
    complaint = `${complaint}${bytes}`.slice(-2_000)
  })
  const address = await addressOf(child, () => complaint)
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return {
    port: Number(address.port),
    token: address.searchParams.get('token') ?? '',
    isAlive,
    complaint: () => complaint,
    memory: () => residentMegabytes(child.pid),
    worked: () => workedMilliseconds(child.pid),
    async kill() {
      if (!isAlive()) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    pause: () => void child.kill('SIGSTOP'),
    continue: () => void child.kill('SIGCONT'),
  }
}

/** Only what the rig chooses: no setting of the person who runs it. */
function environmentOf({ shared, environment }: Store): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => name !== 'PORT' && !name.startsWith('MILLRACE_'))
  return {
    ...Object.fromEntries(own),
    ...(programs.compileCache !== undefined && { NODE_COMPILE_CACHE: programs.compileCache }),
    ...environment,
    ...(shared && {
      MILLRACE_DATABASE_URL: shared.databaseUrl,
      MILLRACE_LEASE_TTL: String(shared.leaseTtl),
      MILLRACE_TOKEN: shared.token,
      ...(shared.redisUrl !== undefined && { MILLRACE_REDIS_URL: shared.redisUrl }),
    }),
  }
}

/** Calls `act` with a server on a data folder of its own, and removes both afterwards. */
export async function withServer<Result>(
  act: (server: ServerProcess, data: string) => Promise<Result>,
  patience?: Patience,
  environment: NonNullable<Store['environment']> = {},
): Promise<Result> {
  return withFolder(async (data) => {
    const server = await startServer({ data, environment }, 0, patience)
    try {
      return await act(server, data)
    } finally {
      await server.kill()
    }
  })
}

export async function withFolder<Result>(act: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-faults-'))
  try {
    return await act(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function addressOf(child: ChildProcess, complaint: () => string): Promise<URL> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (bytes) => {
      output += bytes
      if (output.endsWith('\n')) resolve(new URL(output.trim()))
    })
    child.once('exit', () => reject(new Error(`The server did not start: ${complaint()}`)))
  })
}

function residentMegabytes(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

/** How often a second the kernel counts, for every program on Linux. */
const TICKS = 100

function workedMilliseconds(pid: number | undefined): number | undefined {
  try {
    // The name of the program is in parentheses, and may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS
  } catch {
    return undefined
  }
}
