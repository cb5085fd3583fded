import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Address, Order, Report } from './words.ts'

const COMMAND = fileURLToPath(new URL('../../packages/millrace/bin/millrace.js', import.meta.url))
const CROWD = fileURLToPath(new URL('./crowd.ts', import.meta.url))
const TOKEN = 'a-token-for-the-scale'

const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

function kept<Child extends ChildProcess>(child: Child): Child {
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  return child
}

/** One server process, and what it uses. */
export interface ScaleNode extends Address {
  /** Seconds of CPU since it began. */
  cpu(): number
  /** Resident memory, in MB. */
  memory(): number
  stop(): Promise<void>
}

export async function startNode(databaseUrl: string, redisUrl: string): Promise<ScaleNode> {
  const data = mkdtempSync(join(tmpdir(), 'millrace-scale-'))
  const env = { ...process.env, MILLRACE_DATA: data, MILLRACE_TOKEN: TOKEN }
  const stores = { MILLRACE_DATABASE_URL: databaseUrl, MILLRACE_REDIS_URL: redisUrl }
  const child = spawn(process.execPath, [COMMAND, 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...env, ...stores },
  })
  kept(child)
  const [line] = await once(child.stdout, 'data')
  return {
    url: new URL(String(line).trim()).origin,
    token: TOKEN,
    cpu: () => cpuSeconds(child.pid),
    memory: () => residentMegabytes(child.pid),
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Of all its threads. The system counts in hundredths of a second. */
function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const residentMegabytes = (pid: number | undefined): number =>
  Number(/VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Clients in a process of their own, which performs one order. */
export interface Crowd {
  reported<State extends Report['state']>(state: State): Promise<Extract<Report, { state: State }>>
  end(): void
}

export function sendCrowd(order: Order): Crowd {
  const child = kept(fork(CROWD))
  const reports: Report[] = []
  child.on('message', (words) => reports.push(words as Report))
  child.send(order)
  return {
    async reported(state) {
      for (;;) {
        const found = reports.find((each) => each.state === state)
        if (found !== undefined) return found as Extract<Report, { state: typeof state }>
        if (child.exitCode !== null) throw new Error(`A crowd has failed before it was ${state}.`)
        await Promise.race([once(child, 'message'), once(child, 'exit')])
      }
    },
    end: () => void child.kill(),
  }
}
