import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

/**
 * A real server on a free port of the loopback interface, with its data in a temporary folder. It ends, and the folder is
 * removed, when it is disposed of and when the process that started it ends in any way.
 */
export interface TestServer extends AsyncDisposable {
  readonly url: string
  /** Its data and what it has printed, in `server.log`. */
  readonly folder: string
  /** Ends it, by the signal that lets it finish nothing unless another is given. What it had stored stays. */
  stop(signal?: Signal): Promise<void>
  /** Starts it again, on the same port and with the same data. Resolves when it answers. */
  start(): Promise<void>
}

type Signal = 'QUIT' | 'KILL' | 'INT'

/** How one kind of server is run. In the scripts `$BIN`, `$FOLDER` and `$PORT` are set. */
export interface ServerKind {
  readonly name: string
  /** The folder of its programs. */
  readonly programs: string
  /** A shell script that makes the data, once. */
  readonly prepare: string
  /** A shell script that becomes the server. */
  readonly serve: string
  /** Ends it at once. */
  readonly signal: Signal
  /** The user that runs it; absent: the user of this process. */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** Files in its folder, by name, which only that user can read. */
  files(port: number): { readonly [name: string]: string }
  url(port: number): string
  /** Whether the server at this URL answers. */
  answers(url: string): Promise<boolean>
}

/**
 * Starts and stops the server as it is asked to. At the end of its input, which any end of this process causes, it ends the
 * server and removes the folder. It has a process group of its own: what kills the group of this process lets it clean up.
 */
const SUPERVISOR = `
while read -r order; do
  case $order in
    prepare) eval "$PREPARE" >>server.log 2>&1 </dev/null && echo prepared || echo failed ;;
    start) (eval "$SERVE") >>server.log 2>&1 </dev/null & pid=$!; echo started ;;
    stop*) kill -"\${order#stop }" "$pid"; wait "$pid"; echo stopped ;;
  esac
done
kill -"$SIGNAL" "$pid"; wait "$pid"
cd /; rm -rf "$FOLDER"`

const ROUND_MS = 25
const MOST_ROUNDS = 2_400

export async function startServer(kind: ServerKind): Promise<TestServer> {
  const port = await freePort()
  const url = kind.url(port)
  const folder = mkdtempSync(join(tmpdir(), `millrace-${kind.name}-`))
  for (const [name, text] of Object.entries(kind.files(port))) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    own(join(folder, name), kind)
  }
  own(folder, kind)
  const { child, order } = supervise(kind, folder, port)

  async function start(): Promise<void> {
    await order('start')
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (await kind.answers(url)) return
      await setTimeout(ROUND_MS)
    }
    throw new Error(`${kind.name} does not answer. ${logOf(folder)}`)
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.stdin?.end()
    await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    if ((await order('prepare')) !== 'prepared') throw new Error(`${kind.name} has no data. ${logOf(folder)}`)
    await start()
  } catch (error) {
    await end()
    throw error
  }
  const stop = async (signal = kind.signal) => void (await order(`stop ${signal}`))
  return { url, folder, start, stop, [Symbol.asyncDispose]: end }
}

interface Supervisor {
  readonly child: ChildProcess
  /** Resolves with the answer. */
  order(word: 'prepare' | 'start' | `stop ${Signal}`): Promise<string>
}

function supervise({ programs, prepare, serve, signal, user }: ServerKind, folder: string, port: number): Supervisor {
  const child = spawn('sh', ['-c', SUPERVISOR], {
    ...user,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C',
      BIN: programs,
      FOLDER: folder,
      PORT: String(port),
      PREPARE: prepare,
      SERVE: serve,
      SIGNAL: signal,
    },
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    async order(word) {
      child.stdin.write(`${word}\n`)
      const { value = 'gone' } = await answers.next()
      return value
    },
  }
}

function own(path: string, { user }: ServerKind): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid)
}

function logOf(folder: string): string {
  try {
    return readFileSync(join(folder, 'server.log'), 'utf8').slice(-2_000)
  } catch {
    return 'It has written nothing.'
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
