import type { Chunk, Wire } from '@millrace/core/wire'
import { type Content, comparable, contentOf } from './content.ts'
import type { Run } from './fold-laws.ts'
import type { Effort, Law, Verdict } from './law.ts'
import type { PublicHalf } from './public-half.ts'
import { questionsAfter } from './public-values.ts'
import { balanced, entriesOf } from './runs.ts'
import { sample, upTo } from './seeded.ts'
import { heldTexts } from './text-streams.ts'
import { missingStrings, tracesOf } from './traces.ts'
import { same } from './verdicts.ts'

/** What the suite must know about a wire. */
export interface WireFacts {
  /** Whether a chunk begins a response; absent if the protocol has no such chunk. */
  opens?(chunk: Chunk): boolean
  /** Whether a chunk ends a response. */
  ends(chunk: Chunk): boolean
  /** What a client learns that knows nothing of us, or why there is nothing to learn. */
  readonly publicHalf: PublicHalf | { readonly none: string }
  /**
   * When a delta of the assistant's text is sent at once: always, or only while nothing else was drawn since its block
   * began; or why it never is.
   */
  readonly streamsText: 'always' | 'while last' | { readonly none: string }
  /** Why no response ends with a question, although those of other profiles do. */
  readonly pauses?: { readonly none: string }
  /** The protocol's own client, or why there is none. It throws for chunks that it refuses. */
  readonly client: ((chunks: readonly Chunk[]) => Promise<Content>) | { readonly none: string }
}

/** One run on one wire. */
export interface WireCase extends Run {
  readonly wire: Wire
  readonly facts: WireFacts
}

/** Consecutive responses, of which only the first may be empty; an error may follow the last one. */
const FRAME = /^\(\.*\)(?:\(\.+\))*\.*$/

export const wireLaws: readonly Law<WireCase>[] = [
  {
    promise: 'makes chunks that survive JSON',
    *check({ wire, entries }) {
      const chunks = chunksOf(wire, entries).flat()
      yield same(JSON.parse(JSON.stringify(chunks)), chunks, 'through JSON')
    },
  },
  {
    promise: 'makes the same chunks again, so that cursors hold',
    *check({ wire, entries }, { prefixes, seed }) {
      const whole = chunksOf(wire, entries)
      yield same(chunksOf(wire, JSON.parse(JSON.stringify(entries))), whole, 'again, from the log')
      for (const k of sample(upTo(entries.length), Math.min(prefixes, 16), seed)) {
        yield same(chunksOf(wire, entries.slice(0, k)), whole.slice(0, k), `the first ${k} entries`)
      }
    },
  },
  {
    promise: 'sends text as it comes',
    *check({ wire, facts: { streamsText }, entries }) {
      if (typeof streamsText === 'object') return
      const [held] = heldTexts(entries, chunksOf(wire, entries), streamsText === 'always')
      yield held === undefined ? undefined : `the delta ${JSON.stringify(held)} is held back`
    },
  },
  {
    promise: 'carries all that it does not declare as lost',
    *check({ wire, entries }) {
      const events = entries.map(({ event }) => event)
      const lost = missingStrings(tracesOf(events, wire.losses), chunksOf(wire, entries).flat())
      yield lost.length === 0 ? undefined : `not found on the wire: ${JSON.stringify(lost.slice(0, 3))}`
    },
  },
  {
    promise: 'ends what it began, once, wherever the run is cut',
    *check({ wire, facts, entries }, { prefixes, seed }) {
      const events = entries.map(({ event }) => event)
      for (const k of sample(upTo(entries.length), prefixes, seed)) {
        const chunks = chunksOf(wire, entriesOf(balanced(events.slice(0, k)))).flat()
        const signs = chunks.map((chunk) => (facts.opens?.(chunk) ? '(' : facts.ends(chunk) ? ')' : '.'))
        const frame = `${facts.opens === undefined ? '(' : ''}${signs.join('')}`
        yield FRAME.test(frame) ? undefined : `cut after ${k} entries: it begins and ends as ${frame}`
      }
    },
  },
  {
    promise: 'ends its response wherever questions are open and nothing is half said, and only there',
    *check({ wire: { isPause, ...wire }, facts, entries }) {
      if (isPause === undefined) return
      const waiting = facts.pauses === undefined ? questionsAfter(entries) : []
      const pauses = chunksOf(wire, entries).map((chunks, index) => {
        const entry = entries[index]
        return chunks.filter((chunk) => entry !== undefined && isPause(chunk, entry)).length
      })
      let isPaused = false
      for (const [index, count] of pauses.entries()) {
        if (count > 1) yield `it pauses ${count} times after entry ${index + 1}`
        if (count === 1 && waiting[index] === undefined)
          yield `it pauses after entry ${index + 1}, where nobody is asked`
        isPaused = count === 1 || (isPaused && waiting[index] !== undefined)
        if (waiting[index] !== undefined && !isPaused) yield `it does not pause after entry ${index + 1}`
      }
    },
  },
]

/** Law 6: the protocol's own client accepts the stream, whole and cut, and ends with the folded content. */
export async function* clientVerdicts(
  { wire, facts, entries }: WireCase,
  { clientCuts, seed }: Effort,
): AsyncGenerator<Verdict> {
  const { client } = facts
  if (typeof client !== 'function') return
  const events = entries.map(({ event }) => event)
  // Runs of different length are cut at different points, also if each is cut only once.
  const cuts = sample(upTo(entries.length - 1), clientCuts, seed + entries.length)
  for (const k of [...cuts, entries.length]) {
    const run = k === entries.length ? entries : entriesOf(balanced(events.slice(0, k)))
    const expected = contentOf(run, wire.losses)
    try {
      const actual = await client(chunksOf(wire, run).flat())
      yield same(comparable(actual, expected), expected, `cut after ${k} entries`)
    } catch (error) {
      yield `cut after ${k} entries, the client refuses: ${String(error)}`
    }
  }
}

/** The chunks of each entry. */
export function chunksOf(wire: Wire, entries: Run['entries']): readonly (readonly Chunk[])[] {
  const wireState = wire.create({ runId: 'run', threadId: 'thread' })
  return entries.map((entry) => wireState.push(entry))
}
