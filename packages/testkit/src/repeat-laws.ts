import type { StreamEvent } from '@millrace/core/events'
import { createFold, type RunSnapshot } from '@millrace/core/fold'
import type { Law, Verdict } from './law.ts'
import { entriesOf } from './runs.ts'
import { asFirstRound, inOneMessage, roundsOf, type Scenario } from './scenarios.ts'
import { same } from './verdicts.ts'

/** A stateful member, as the outputs that it gives for each of these events. */
export type Play = (events: readonly StreamEvent[]) => readonly (readonly unknown[])[]

const ROUNDS = 3
const start: StreamEvent = { type: 'run-start', model: 'model-1' }

/** What a member gives for each round: nothing but the ids tells the third time from the first. */
export function repeatVerdicts(scenario: Scenario, play: Play): Iterable<Verdict> {
  const rounds = roundsOf(scenario, ROUNDS)
  return [
    ...laterRounds(rounds, play, [start], 'in messages of its own'),
    ...(inOneMessage(rounds) === undefined
      ? []
      : laterRounds(innerOf(rounds), play, [start, ...firstStart(rounds)], 'in one message')),
  ]
}

/** The rounds without their message. */
const innerOf = (rounds: readonly (readonly StreamEvent[])[]) => rounds.map((events) => events.slice(1, -1))
const firstStart = (rounds: readonly (readonly StreamEvent[])[]) => rounds[0]?.slice(0, 1) ?? []

function laterRounds(
  rounds: readonly (readonly StreamEvent[])[],
  play: Play,
  before: readonly StreamEvent[],
  layout: string,
): readonly Verdict[] {
  const outputs = play([...before, ...rounds.flat()]).slice(before.length)
  const length = rounds[0]?.length ?? 0
  const ofRound = (k: number) => asFirstRound(outputs.slice((k - 1) * length, k * length), k)
  return rounds.slice(1).map((_, index) => same(ofRound(index + 2), ofRound(1), `round ${index + 2}, ${layout}`))
}

/**
 * What a member gives for the second round if the first was cut off at any event, or lacked any event: the same, but for
 * ends of what the first round left open, which may come before.
 */
export function* brokenVerdicts({ round }: Scenario, play: Play): Iterable<Verdict> {
  const [first, second] = [round(1), round(2)]
  const wanted = play([start, ...first, ...second]).slice(1 + first.length)
  for (const at of first.keys()) {
    for (const broken of [first.slice(0, at), first.toSpliced(at, 1)]) {
      const outputs = play([start, ...broken, ...second]).slice(1 + broken.length)
      const later = outputs.map((list, index) => list.slice(-(wanted[index]?.length ?? 0) || list.length))
      const closing = outputs.flatMap((list, index) => list.slice(0, list.length - (wanted[index]?.length ?? 0)))
      yield same(later, wanted, `after a first round broken at ${at}`)
      const odd = closing.find((output) => !/-end|approval/.test((output as StreamEvent).type))
      yield odd === undefined ? undefined : `after a first round broken at ${at}: ${JSON.stringify(odd)} is added`
    }
  }
}

/** Laws of the fold over one scenario. */
export const foldRepeatLaws: readonly Law<Scenario>[] = [
  {
    promise: 'shows each round as it showed the first, at every moment',
    *check(scenario) {
      const rounds = roundsOf(scenario, ROUNDS)
      yield* laterPictures(rounds, [start], (snapshot) => snapshot.chatEvents, 'in messages of its own')
      if (inOneMessage(rounds) === undefined) return
      const segments = ({ chatEvents }: RunSnapshot) => chatEvents[0]?.segments ?? []
      yield* laterPictures(innerOf(rounds), [start, ...firstStart(rounds)], segments, 'in one message')
    },
  },
  {
    promise: 'changes nothing of the earlier rounds',
    *check(scenario) {
      const rounds = roundsOf(scenario, ROUNDS)
      const [once, thrice] = [1, ROUNDS].map((count) => afterRounds(rounds, count))
      const before = once?.chatEvents ?? []
      yield same(thrice?.chatEvents.slice(0, before.length), before, 'the chat events of round 1')
    },
  },
  {
    promise: 'counts k times what one round counts',
    *check(scenario) {
      const rounds = roundsOf(scenario, ROUNDS)
      const layouts = [rounds, inOneMessage(rounds)?.slice(1)]
      for (const [index, layout] of layouts.entries()) {
        if (layout === undefined) continue
        const before = index === 0 ? [] : firstStart(rounds)
        const once = countsOf(afterRounds(layout, 1, before))
        for (const k of [2, ROUNDS]) yield same(countsOf(afterRounds(layout, k, before)), times(once, k), `${k} rounds`)
      }
    },
  },
]

type Counts = { readonly [name: string]: number }

const times = (counts: Counts, k: number) =>
  Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, n * k]))

function countsOf({ usage, raw, state, chatEvents }: RunSnapshot): Counts {
  const ofMessages = chatEvents.flatMap((chatEvent) => Object.entries(chatEvent.usage ?? {}))
  const messages: Record<string, number> = {}
  for (const [name, count] of ofMessages)
    messages[`${name} of messages`] = (messages[`${name} of messages`] ?? 0) + count
  return {
    ...usage,
    ...messages,
    raw: raw?.count ?? 0,
    named: raw?.seqs.length ?? 0,
    channels: Object.keys(state ?? {}).length,
    segments: chatEvents.reduce((sum, { segments }) => sum + segments.length, 0),
  }
}

function afterRounds(
  rounds: readonly (readonly StreamEvent[])[],
  count: number,
  before: readonly StreamEvent[] = [],
): RunSnapshot {
  const folded = createFold()
  folded.push(entriesOf([start, ...before, ...rounds.slice(0, count).flat()]))
  return folded.snapshot()
}

/** What each event of a later round shows is what that event of round 1 showed. */
function* laterPictures(
  rounds: readonly (readonly StreamEvent[])[],
  before: readonly StreamEvent[],
  listOf: (snapshot: RunSnapshot) => readonly unknown[],
  layout: string,
): Iterable<Verdict> {
  const live = createFold()
  const entries = entriesOf([...before, ...rounds.flat()])
  live.push(entries.slice(0, before.length))
  const first: unknown[] = []
  for (const [index, events] of rounds.entries()) {
    const offset = before.length + index * events.length
    const isShown = listOf(live.snapshot()).length
    for (const [position, event] of events.entries()) {
      live.push(entries.slice(offset + position, offset + position + 1))
      const picture = shifted(asFirstRound(listOf(live.snapshot()).slice(isShown), index + 1), index * events.length)
      if (index === 0) first.push(picture)
      else
        yield same(
          picture,
          first[position],
          `round ${index + 1}, ${layout}, after its event ${position} (${event.type})`,
        )
    }
  }
}

const TIMES: ReadonlySet<string> = new Set(['startedAt', 'endedAt', 'at'])

/** A picture with the times and positions that it would have `by` entries earlier. */
function shifted(picture: unknown, by: number): unknown {
  return JSON.parse(JSON.stringify(picture), (key, value) => {
    if (TIMES.has(key)) return value - by
    return key === 'seqs' ? value.map((seq: number) => seq - by) : value
  })
}
