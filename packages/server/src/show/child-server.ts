import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A second server, in a process of its own and with a log of its own. */
export interface ChildServer {
  /** Undefined while it is down. */
  address(): { readonly url: string; readonly token: string } | undefined
  pid(): number | undefined
  /** SIGKILL: the process finishes nothing. Resolves when it is gone. */
  kill(): Promise<void>
  /** Starts it again over its log. Does nothing while it runs. */
  start(): Promise<void>
  /** Kills it and removes its log. */
  end(): Promise<void>
}

export async function createChildServer(): Promise<ChildServer> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-show-'))
  const token = randomBytes(24).toString('base64url')
  let child: ChildProcess | undefined
  let url: string | undefined
  let starting: Promise<void> | undefined
  let isOver = false

  async function boot(): Promise<void> {
    const path = fileURLToPath(new URL('./child-program.ts', import.meta.url))
    // It ends with its stdin, so it does not outlive this process. The token is in no list of processes.
    const started = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] })
    child = started
    started.stdin.on('error', () => undefined)
    started.on('error', () => undefined)
    started.once('exit', () => {
      if (child !== started) return
      child = undefined
      url = undefined
    })
    started.stdin.write(`${JSON.stringify({ folder, token })}\n`)
    // `once` also rejects if the process cannot be started at all.
    const gone = once(started, 'exit').then(() => Promise.reject(new Error('The second server did not start.')))
    const [line] = await Promise.race([once(started.stdout, 'data'), gone])
    gone.catch(() => undefined)
    if (child === started) url = String(line).trim()
  }

  async function start(): Promise<void> {
    if (isOver || url !== undefined) return
    starting ??= boot().finally(() => {
      starting = undefined
    })
    await starting
  }

  async function kill(): Promise<void> {
    await starting?.catch(() => undefined)
    const victim = child
    if (victim === undefined) return
    url = undefined
    const gone = once(victim, 'exit')
    victim.kill('SIGKILL')
    await gone
  }

  try {
    await start()
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    address: () => (url === undefined ? undefined : { url, token }),
    pid: () => child?.pid,
    kill,
    start,
    async end() {
      isOver = true
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
