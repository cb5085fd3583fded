import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type BusBench, collect, eventually } from './bus-bench.ts'
import { expect } from './expectation.ts'
import type { MemberLocation } from './member-location.ts'
import { it } from './runner.ts'

/** Beside this module: JavaScript in a package, TypeScript in the repository. */
const CHILD = import.meta.url.endsWith('.ts')
  ? new URL('./bus-child.ts', import.meta.url)
  : new URL('./bus-child.js', import.meta.url)

export interface ChildOptions extends MemberLocation {
  readonly url: string
  readonly scope: string
  /** The topic whose messages it prints. */
  readonly topic: string
}

export interface ChildOrder {
  readonly to: string
  readonly messages: readonly string[]
}

interface Child extends AsyncDisposable {
  /** What its bus has received. */
  readonly received: readonly string[]
  publish(to: string, messages: readonly string[]): void
  kill(): void
}

/** Another process, with a bus that is ready. */
async function startChild(bench: BusBench, location: MemberLocation, topic: string): Promise<Child> {
  const options: ChildOptions = { ...location, url: (await bench.server()).url, scope: bench.scope, topic }
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(CHILD), JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const received: string[] = []
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  lines.on('line', (line) => received.push(JSON.parse(line) as string))
  await eventually('the process is ready', () => received.includes('ready'))
  return {
    received,
    publish: (to, messages) => child.stdin?.write(`${JSON.stringify({ to, messages } satisfies ChildOrder)}\n`),
    kill: () => void child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      child.stdin?.end()
      await closed
    },
  }
}

/** The promises of a shared bus to other processes. */
export function processPromises(bench: BusBench, location: MemberLocation): void {
  it('reaches other processes, and is reached by them', async () => {
    await using child = await startChild(bench, location, 'run:1')
    const bus = await bench.open()
    const received = await collect(bus, 'run:2')
    const hostile = ['m', '\ud800', '\u0000', 'line\nline', '水']
    for (const message of hostile) bus.publish('run:1', message)
    bus.publish('run:2', 'not for it')
    child.publish('run:2', hostile)
    child.publish('run:3', ['for nobody'])
    await eventually('all arrive here', () => received.length > hostile.length)
    expect(received).toEqual(['not for it', ...hostile])
    await eventually('all arrive there', () => child.received.at(-1) === '水')
    expect(child.received.filter((message) => message !== '')).toEqual(['ready', ...hostile])
  })

  it('rings its listeners after the last of 10,000 messages of another process, both ways', async () => {
    await using child = await startChild(bench, location, 'run:1')
    const bus = await bench.open()
    const received = await collect(bus, 'run:2')
    const messages = Array.from({ length: 10_000 }, (_, index) => `${index}`)
    child.publish('run:2', messages)
    for (const message of messages) bus.publish('run:1', message)
    for (const of of [received, child.received]) {
      await eventually('the last message, or a ring after it', () => ['9999', ''].includes(of.at(-1) ?? 'none'))
    }
  })

  it('is not disturbed by a process that is killed', async () => {
    const [one, other] = await Promise.all([bench.open(), bench.open()])
    const received = await collect(other, 'run:1')
    for (let round = 0; round < 3; round++) {
      await using child = await startChild(bench, location, 'run:1')
      child.publish(
        'run:1',
        Array.from({ length: 1_000 }, () => 'of another process'),
      )
      one.publish('run:1', `m ${round}`)
      child.kill()
      await eventually('the message arrives', () => received.includes(`m ${round}`))
    }
  })
}
