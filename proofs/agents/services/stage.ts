import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Address, addressOf, COMMAND } from '../workplace.ts'
import { type Gate, openGate } from './gate.ts'
import type { Service } from './registry.ts'

/** A service, a way to it that can be harmed, and a server whose agents lead there. */
export interface ServiceStage extends Address {
  readonly gate: Gate
  /** How often another address was called, to which the gate redirects. */
  elsewhere(): number
  /** kill -9 of the server, and a start on the same data. */
  killAndRestart(): Promise<Address>
  close(): Promise<void>
}

export function versionOf(packageName: string): string {
  const text = readFileSync(join(import.meta.dirname, 'node_modules', packageName, 'package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

/** The agent as people have it, and one whose limits are reached soon. */
const agentsFor = ({ endpoint }: Service, url: string) => ({
  service: { url, endpoint },
  limited: { url, endpoint, limits: { time: '6s', idle: '3s', output: '300k' } },
})

export async function openStage(service: Service): Promise<ServiceStage> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-services-'))
  for (const name of ['home', 'data', 'agents']) mkdirSync(join(folder, name))
  const PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':')
  const env = { PATH, HOME: join(folder, 'home'), TMPDIR: folder, LANG: 'C.UTF-8' }
  // Nothing is reported to anybody.
  const silent = { COPILOTKIT_TELEMETRY_DISABLED: 'true', DO_NOT_TRACK: '1', LANGSMITH_TRACING: 'false' }
  const program = spawn(process.execPath, [join(import.meta.dirname, service.program)], {
    env: { ...env, ...silent },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let strangers = 0
  const stranger = createServer((_request, response) => {
    strangers++
    response.end()
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/inward`
  const gate = await openGate(await printedAddress(program), elsewhere)
  for (const [name, file] of Object.entries(agentsFor(service, gate.url)))
    writeFileSync(join(folder, 'agents', `${name}.yaml`), JSON.stringify(file))
  let server: ChildProcess | undefined

  async function start(): Promise<Address> {
    const args = [COMMAND, 'serve', '--data', join(folder, 'data'), '--port', '0']
    server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    return addressOf(server)
  }

  const isAlive = (child: ChildProcess | undefined): child is ChildProcess =>
    child !== undefined && child.exitCode === null && child.signalCode === null

  async function end(child: ChildProcess | undefined, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!isAlive(child)) return
    child.kill(signal)
    await once(child, 'exit')
  }

  return {
    ...(await start()),
    gate,
    elsewhere: () => strangers,
    async killAndRestart() {
      await end(server, 'SIGKILL')
      return start()
    },
    async close() {
      await end(server, 'SIGTERM')
      await end(program, 'SIGKILL')
      gate.close()
      stranger.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The line with the address, among whatever else a server says. */
function printedAddress(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    program.stdout?.on('data', (bytes) => {
      text += String(bytes)
      const [address] = /^http:\/\/127\.0\.0\.1:\d+\S*(?=\n)/m.exec(text) ?? []
      if (address !== undefined) resolve(address)
    })
    program.once('exit', () => reject(new Error(`The service did not start: ${text.slice(0, 500)}`)))
  })
}
