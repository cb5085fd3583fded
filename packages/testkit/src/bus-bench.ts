import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Bus, BusMember } from '@millrace/server/bus'
import { afterAll, afterEach, it } from './runner.ts'

/** The real server of a shared bus, which the suite may treat badly. */
export interface BusServer extends AsyncDisposable {
  readonly url: string
  /** Ends every connection to it. */
  cut(): Promise<void>
  /** Ends it as a crash does. */
  stop(): Promise<void>
  /** Starts it again, at the same URL. */
  start(): Promise<void>
}

/** The codes of what a bus has reported. */
type Reports = readonly string[]

interface OpenOptions {
  readonly url?: string
  readonly scope?: string
}

/** Opens buses of one member for a suite. They are closed after each test. */
export interface BusBench {
  readonly member: BusMember
  /** A scope that no other test uses. */
  readonly scope: string
  /** A bus that is ready, in the scope of the test. */
  open(): Promise<Bus>
  /** A bus that may still have to connect; with another URL or in another scope. */
  openSoon(other?: OpenOptions): Promise<{ readonly bus: Bus; readonly reports: Reports }>
  /** The server of a shared member, which runs. */
  server(): Promise<BusServer>
}

/** Call it inside `describe`. The server is started by the first test that needs it. */
export function createBusBench(member: BusMember, startServer?: () => Promise<BusServer>): BusBench {
  const opened: Bus[] = []
  let scope = randomUUID()
  let started: Promise<BusServer> | undefined

  function server(): Promise<BusServer> {
    if (startServer === undefined) throw new Error('A confined bus has no server.')
    started ??= startServer()
    return started
  }

  async function openSoon(other: OpenOptions = {}) {
    const url = member.confined === undefined ? (await server()).url : ''
    const reports: string[] = []
    const bus = await member.open({ url, scope, report: ({ code }) => reports.push(code), ...other })
    opened.push(bus)
    return { bus, reports }
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((bus) => bus.close()))
    scope = randomUUID()
  })
  afterAll(async () => {
    await (await started)?.[Symbol.asyncDispose]()
  })

  return {
    member,
    server,
    openSoon,
    get scope() {
      return scope
    },
    async open() {
      const { bus } = await openSoon()
      await bus.ready()
      return bus
    },
  }
}

/** A bus that publishes and one that listens; they may be the same one. */
export interface Pair {
  readonly one: Bus
  readonly other: Bus
}

/** Tests a promise with one bus and, if the member is shared, with two. */
export function promise(bench: BusBench, name: string, body: (pair: Pair) => Promise<void>): void {
  it(`${name}, with one bus`, async () => {
    const one = await bench.open()
    await body({ one, other: one })
  })
  if (bench.member.confined !== undefined) return
  it(`${name}, with two buses`, async () => {
    const [one, other] = await Promise.all([bench.open(), bench.open()])
    await body({ one, other })
  })
}

/** Collects the messages of a topic. Resolves when others reach it. */
export async function collect(bus: Bus, topic: string): Promise<string[]> {
  const messages: string[] = []
  bus.subscribe(topic, (message) => messages.push(message))
  await bus.ready()
  // A subscription that has just reached its server is rung.
  await setTimeout(1)
  messages.length = 0
  return messages
}

/** Far longer than any message takes. */
const MOST_ROUNDS = 2_000
const ROUND_MS = 10

/** Resolves when the condition holds; rejects after a time limit with the sentence that did not come true. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (holds()) return
    await setTimeout(ROUND_MS)
  }
  throw new Error(`It did not come true: ${what}.`)
}

/** Resolves when all that was published before has arrived: a message of a topic that nobody else uses comes through. */
export async function settled({ one, other }: Pair): Promise<void> {
  const messages = await collect(other, 'the last')
  one.publish('the last', 'end')
  await eventually('the last message arrives', () => messages.length > 0)
}
