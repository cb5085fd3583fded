import type { Log } from '@millrace/server/log'
import { expect } from './expectation.ts'
import {
  type Act,
  contentsOf,
  histories,
  outcomeOf,
  reads,
  type Subject,
  subjectOf,
  twoNodes,
  writes,
} from './log-acts.ts'
import { type LogBench, readAll } from './log-bench.ts'
import { createReferenceLog } from './log-reference.ts'
import { some } from './property.ts'
import { it } from './runner.ts'

const NOW = 1_000

/** How many of the pairs meet after one history: each history has others. `npm run laws` tries them all. */
const PAIRS = 400

interface Pair {
  readonly subject: Subject
  readonly first: Act
  readonly second: Act
}

/** Writes with every other operation, in both orders. */
async function pairsFor(log: Log, history: string): Promise<readonly Pair[]> {
  const others = Object.entries({ ...writes, ...reads })
  const ordered = Object.entries(writes).flatMap(([one, write]) =>
    others.flatMap(([other, act]) => [
      { name: `${one}, ${other}`, first: write, second: act },
      // Two writes have their other order where the second of them is the first.
      ...(other in writes ? [] : [{ name: `${other}, ${one}`, first: act, second: write }]),
    ]),
  )
  return Promise.all(
    some(ordered, PAIRS, history).map(async ({ name, ...pair }) => ({
      ...pair,
      subject: subjectOf(name, await twoNodes(log)),
    })),
  )
}

/** What both return and what is stored afterwards, if the first comes completely before the second. */
async function inOrder(history: readonly Act[], acts: readonly Act[], subject: Subject) {
  const log = createReferenceLog(() => NOW, subject.nodes)
  for (const act of history) await act(log, subject)
  const outcomes = []
  for (const act of acts) outcomes.push(await outcomeOf(act(log, subject)))
  const [contents] = await contentsOf(log, [subject])
  return { outcomes, contents }
}

/** Begins both at once, for all pairs. */
async function atOnce(log: Log, pairs: readonly Pair[]) {
  const outcomes = await Promise.all(
    pairs.map(({ first, second, subject }) =>
      Promise.all([outcomeOf(first(log, subject)), outcomeOf(second(log, subject))]),
    ),
  )
  const contents = await contentsOf(
    log,
    pairs.map(({ subject }) => subject),
  )
  return outcomes.map((both, index) => ({ outcomes: both, contents: contents[index] }))
}

const textOf = (value: unknown) => JSON.stringify(value, (_key, field) => sorted(field))

/** Two members may name the fields of a value in a different order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

type Found = Awaited<ReturnType<typeof atOnce>>[number]

/** Throws unless the pair's results and contents are those of one order or of the other. */
async function expectSomeOrder(found: Found, history: readonly Act[], pair: Pair) {
  const { first, second, subject } = pair
  const direct = await inOrder(history, [first, second], subject)
  if (textOf(found) === textOf(direct)) return
  const { outcomes, contents } = await inOrder(history, [second, first], subject)
  const isReversed = textOf(found) === textOf({ outcomes: outcomes.toReversed(), contents })
  if (!isReversed) expect(found, subject.runId).toEqual(direct)
}

/** Histories after which there is a run for readers. */
const withRun = new Set(['an open run', 'an owned run', 'an ended run'])

/** The promises of a log about operations that meet. */
export function racePromises(bench: LogBench): void {
  for (const [name, history] of Object.entries(histories)) {
    it(`gives two operations at once the results of some order: ${name}`, async () => {
      const log = await bench.open(() => NOW)
      const pairs = await pairsFor(log, name)
      for (const act of history) await Promise.all(pairs.map(({ subject }) => act(log, subject)))
      const readers = pairs.map(({ subject }) => outcomeOf(readAll(log, subject.runId, 1, true)))
      const found = await atOnce(log, pairs)
      for (const [index, pair] of pairs.entries()) await expectSomeOrder(found[index] as Found, history, pair)
      // A reader that came before the operations has got all, if the run has ended; otherwise it waits for more.
      const runs = await Promise.all(pairs.map(({ subject }) => log.run(subject.runId)))
      const stored = await Promise.all(pairs.map(({ subject }) => outcomeOf(readAll(log, subject.runId, 1))))
      await log.close()
      const outcomes = await Promise.all(readers)
      for (const [index, { subject }] of pairs.entries()) {
        const run = runs[index]
        if (!withRun.has(name) || run === undefined || subject.runId.includes('deleteThread')) continue
        const expected = run.state === 'ended' ? stored[index] : { refused: 'log-closed' }
        expect(outcomes[index], subject.runId).toEqual(expected)
      }
    })
  }

  it('finishes every operation that was handed over before it was closed, and refuses every later one', async () => {
    const log = await bench.open(() => NOW)
    const history = histories['an open run'] ?? []
    const each = await Promise.all(
      Object.entries({ ...writes, ...reads }).map(async ([name, act]) => {
        return { act, subject: subjectOf(name, await twoNodes(log)) }
      }),
    )
    for (const earlier of history) await Promise.all(each.map(({ subject }) => earlier(log, subject)))
    const outcomes = each.map(({ act, subject }) => outcomeOf(act(log, subject)))
    await log.close()
    for (const [index, { act, subject }] of each.entries()) {
      const found = await outcomes[index]
      const later = await outcomeOf(act(log, subject))
      expect(later, subject.runId).toEqual({ refused: 'log-closed' })
      // Entries and inputs are read page by page: a reader that has not got all of them is refused the next page.
      const isCut = (act === reads.read || act === reads.inputs) && textOf(found) === textOf(later)
      if (!isCut) expect([found], subject.runId).toEqual((await inOrder(history, [act], subject)).outcomes)
    }
  })
}
