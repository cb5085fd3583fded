import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../packages/millrace/bin/millrace.js', import.meta.url))

/** `millrace serve` in a process of its own, always on the same port and over the same data. */
export interface ServeChild extends AsyncDisposable {
  readonly entrance: string
  /** SIGKILL: the process finishes nothing. */
  kill(): Promise<void>
  start(): Promise<void>
}

export async function serveAsChild(): Promise<ServeChild> {
  const data = mkdtempSync(join(tmpdir(), 'millrace-child-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  let entrance = ''

  async function start(): Promise<void> {
    const args = [bin, 'serve', '--data', data, '--port', String(port)]
    const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    let errorOutput = ''
    started.stderr.on('data', (bytes) => {
      errorOutput += bytes
    })
    const failed = once(started, 'exit').then(() => {
      throw new Error(`The server did not start. ${errorOutput}`)
    })
    const [line] = await Promise.race([once(started.stdout, 'data'), failed])
    failed.catch(() => undefined)
    entrance = String(line).trim()
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  await start()
  return {
    entrance,
    start,
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(data, { recursive: true, force: true })
    },
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
