import type { StreamEvent } from '@millrace/core/events'
import type { Chunk, Wire } from '@millrace/core/wire'
import { expectNone } from './expectation.ts'
import { type Law, thorough, type Verdict, violationsOf } from './law.ts'
import { identitiesOf, irregularityIn } from './regular.ts'
import { describe, it } from './runner.ts'
import { entriesOf } from './runs.ts'
import { inOneMessage, roundsOf, type Scenario } from './scenarios.ts'
import { same } from './verdicts.ts'

/** One thing that an agent does again and again, on one wire. */
export interface RepeatCase {
  readonly name: string
  readonly wire: Wire
  readonly profile: string | undefined
  readonly scenario: Scenario
}

/** How often the thing is done. */
const ROUNDS = 3

/** The repeat law: what a wire says of a thing does not depend on how often the thing has happened. */
export const repeatLaws: readonly Law<RepeatCase>[] = [
  {
    promise: 'says the same each time that the same thing happens, under ids of its own',
    *check({ wire, profile, scenario }) {
      const rounds = playedRounds(scenario).map((events, index) => [...events, ...messageOf(index + 1)])
      yield* problemsOf(roundsOn(wire, profile, [messageOf(0), ...rounds]))
    },
  },
  {
    promise: 'says the same each time that the same thing happens within one message',
    *check({ wire, profile, scenario }) {
      const parts = inOneMessage(playedRounds(scenario))
      if (parts === undefined) return
      const start = { type: 'message-start', messageId: 'message', role: 'assistant' } as const
      const rounds = parts.slice(1, -1).map((events, index) => [...events, ...textOf(index + 1)])
      yield* problemsOf(roundsOn(wire, profile, [[start, ...textOf(0)], ...rounds]))
    },
  },
]

/** The rounds without the numbers of steps: a step that says its number is the same step each time. */
function playedRounds(scenario: Scenario): readonly (readonly StreamEvent[])[] {
  return roundsOf(scenario, ROUNDS).map((events) => events.map(withoutNumber))
}

function withoutNumber(event: StreamEvent): StreamEvent {
  if (event.type !== 'step-start') return event
  const { number: _number, ...step } = event
  return step
}

/** A wire may hold something back until the next thing begins, so a text of its own follows each round. */
function messageOf(k: number): readonly StreamEvent[] {
  const messageId = `after-r${k}`
  return [{ type: 'message-start', messageId, role: 'assistant' }, ...textOf(k), { type: 'message-end', messageId }]
}

function textOf(k: number): readonly StreamEvent[] {
  const blockId = `separate-r${k}`
  return [
    { type: 'block-start', blockId, kind: 'text' },
    { type: 'block-delta', blockId, text: 'Next.' },
    { type: 'block-end', blockId },
  ]
}

/** The chunks of each part behind the first. */
function roundsOn(
  wire: Wire,
  profile: string | undefined,
  parts: readonly (readonly StreamEvent[])[],
): readonly (readonly Chunk[])[] {
  const wireState = wire.create({ runId: 'run', threadId: 'thread', ...(profile !== undefined && { profile }) })
  const begun: readonly StreamEvent[][] = parts.map((events, k) =>
    k === 0 ? [{ type: 'run-start' }, ...events] : [...events],
  )
  const entries = entriesOf(begun.flat())
  const chunks = entries.map((entry) => wireState.push(entry))
  const ends = begun.map((_, k) => begun.slice(0, k + 1).flat().length)
  return ends.slice(1).map((end, index) => chunks.slice(ends[index], end).flat())
}

function* problemsOf(rounds: readonly (readonly Chunk[])[]): Generator<Verdict> {
  const marked = rounds.map((chunks, index) => withMarks(chunks, index + 1))
  yield irregularityIn(marked)
  const [first, ...others] = marked.map(identitiesOf)
  for (const other of others) yield same(other, first, 'which ids are the same')
}

/** The chunks of a round: ids of the round and of the one before it are marked as such, in each round alike. */
function withMarks(chunks: readonly Chunk[], k: number): unknown {
  return JSON.parse(
    JSON.stringify(chunks)
      .replaceAll(`-r${k}`, '-this')
      .replaceAll(`-r${k - 1}`, '-last'),
  )
}

/** Tests the repeat law of a wire and its profiles. */
export function repeatSuite(name: string, wire: Wire, scenarios: readonly Scenario[]): void {
  for (const profile of [undefined, ...wire.profiles]) {
    const cases = scenarios.map((scenario): RepeatCase => ({ name: scenario.name, wire, profile, scenario }))
    describe(`wire: ${name}, profile ${profile}`, () => {
      it('has something that happens', () => expectNone(cases.length === 0 ? ['it has no scenario'] : []))
      for (const law of repeatLaws) it(law.promise, () => expectNone(violationsOf(law, cases, thorough, () => 1)))
    })
  }
}
