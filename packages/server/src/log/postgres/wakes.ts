import { randomUUID } from 'node:crypto'
import type { Bus } from '../../bus/bus.ts'
import { type Bell, createBell } from '../bell.ts'
import { EntryLines } from '../entry-lines.ts'
import type { Log, Subject } from '../log.ts'
import type { Tails } from '../tail-contract.ts'
import type { Connections } from './connections.ts'
import type { Leases } from './lease.ts'
import { createPoll, type Polled, type Question } from './poll.ts'

/** Tells readers and watchers of this process and of others what has changed. */
export interface Wakes {
  readonly watch: Log['watch']
  /** These subjects have changed here. */
  changed(...subjects: readonly Subject[]): void
  /** Entries are durable: they were given to the readers of this process already. */
  appended(runId: string, run: number, added: EntryLines, isEnd: boolean): void
  /** Hears of a run's entries from others until the returned function is called. */
  follow(runId: string): () => void
  /** Notes the number of a run: a message of another run with the same id concerns nobody. */
  noteNumber(runId: string, run: number): void
  close(): Promise<void>
}

export interface WakesOptions {
  readonly connections: Connections
  readonly leases: Leases
  readonly bus: Bus
  /** A message of more bytes arrives empty. */
  readonly largestMessage: number
  readonly tails: () => Tails
  readonly waitClock: () => number | null
}

/** About a run, by its topic: its commands or its state have changed, or it has entries. */
interface Message {
  readonly from: string
  readonly grown?: Grown
}

interface Grown {
  readonly run: number
  readonly after: number
  readonly seq: number
  readonly isEnd: boolean
  readonly lines?: readonly string[]
}

const topicOf = (subject: Exclude<Subject, 'expired'>): string =>
  subject === 'threads' ? 'threads' : 'runId' in subject ? `run:${subject.runId}` : `thread:${subject.threadId}`

/** What a message has beside its lines, in bytes. */
const BESIDE_LINES = 400

/** The longest text of lines that is sent at all. */
const LONGEST = 16_384

/** A watcher that began while a change was being made may have missed it, and the poll too: it is called once, this late. */
const CERTAIN_AFTER = 3_000

interface Interest {
  count: number
  readonly unsubscribe: () => void
  /** As the poll saw it last. */
  version: string | undefined
  certainAt: number
}

export function createWakes(options: WakesOptions): Wakes {
  const { bus, largestMessage, tails } = options
  const own = randomUUID()
  const bell: Bell = createBell()
  const interests = new Map<string, Interest & { readonly subject: Subject }>()
  const numbers = new Map<string, number>()
  const poll = createPoll({ ...options, question, onAnswer })
  const room = Math.min(largestMessage - BESIDE_LINES, LONGEST)

  function question(): Question {
    const subjects = [...interests.values()].map(({ subject }) => subject)
    const watchedRuns = subjects.flatMap((each) => (typeof each === 'object' && 'runId' in each ? [each.runId] : []))
    return {
      runIds: [...new Set([...watchedRuns, ...tails().runIds()])],
      threadIds: subjects.flatMap((each) => (typeof each === 'object' && 'threadId' in each ? [each.threadId] : [])),
      asksList: interests.has('threads'),
      asksExpired: interests.has('expired'),
    }
  }

  /** The poll is the truth: what is gone, or has another version than before, has changed. */
  function onAnswer({ runs, threads, list, hasExpired }: Polled): void {
    for (const runId of tails().runIds()) {
      const run = runs.get(runId)
      if (run === undefined) tails().grown(runId, Number.POSITIVE_INFINITY, true)
      else tails().grown(runId, run.seq, run.isEnded)
    }
    for (const { subject } of [...interests.values()]) {
      if (subject === 'expired') {
        if (hasExpired) bell.ring('expired')
      } else if (subject === 'threads') compare(subject, list)
      else if ('runId' in subject) compare(subject, `${runs.get(subject.runId)?.version}`)
      else compare(subject, `${threads.get(subject.threadId)}`)
    }
  }

  function compare(subject: Exclude<Subject, 'expired'>, version: string): void {
    const interest = interests.get(topicOf(subject))
    if (interest === undefined) return
    const isOther = interest.version !== undefined && interest.version !== version
    const isDue = performance.now() >= interest.certainAt
    interest.version = version
    if (isDue) interest.certainAt = Number.POSITIVE_INFINITY
    if (isOther || isDue) bell.ring(subject)
  }

  function hear(subject: Subject, text: string): void {
    const message = text === '' ? undefined : (JSON.parse(text) as Message)
    if (message === undefined) poll.soon()
    else if (message.from === own) return
    else if (message.grown === undefined) bell.ring(subject)
    else if (typeof subject === 'object' && 'runId' in subject) grow(subject.runId, message.grown)
  }

  function grow(runId: string, { run, after, seq, isEnd, lines }: Grown): void {
    const isSame = numbers.get(runId) === run
    tails().grown(runId, seq, isEnd, isSame && lines ? new EntryLines(after, lines) : undefined)
  }

  /** One subscription for all that are interested in a subject here. */
  function interest(subject: Subject): () => void {
    const key = subject === 'expired' ? subject : topicOf(subject)
    const unsubscribe = () =>
      subject === 'expired' ? () => undefined : bus.subscribe(topicOf(subject), (text) => hear(subject, text))
    const found = interests.get(key) ?? {
      subject,
      count: 0,
      unsubscribe: unsubscribe(),
      version: undefined,
      certainAt: performance.now() + CERTAIN_AFTER,
    }
    found.count++
    interests.set(key, found)
    poll.begin()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (--found.count > 0) return
      found.unsubscribe()
      if (interests.get(key) === found) interests.delete(key)
    }
  }

  const publish = (subject: Exclude<Subject, 'expired'>, message: Omit<Message, 'from'>) =>
    bus.publish(topicOf(subject), JSON.stringify({ from: own, ...message } satisfies Message))

  return {
    watch(subject, listener) {
      const [stop, leave] = [bell.watch(subject, listener), interest(subject)]
      return () => {
        stop()
        leave()
      }
    },
    changed(...subjects) {
      bell.ring(...subjects)
      for (const subject of subjects) {
        if (subject === 'expired') continue
        publish(subject, {})
        if (typeof subject === 'object' && 'threadId' in subject) publish('threads', {})
      }
    },
    appended(runId, run, added, isEnd) {
      const size = added.lines.reduce((sum, { length }) => sum + 2 * length, 0)
      const { after, lines } = added
      const grown = { run, after, seq: after + lines.length, isEnd, ...(size <= room && { lines }) }
      publish({ runId }, { grown })
    },
    follow(runId) {
      const leave = interest({ runId })
      return () => {
        numbers.delete(runId)
        leave()
      }
    },
    noteNumber: (runId, run) => void numbers.set(runId, run),
    async close() {
      for (const each of interests.values()) each.unsubscribe()
      interests.clear()
      await poll.close()
    },
  }
}
