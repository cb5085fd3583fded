import type { Entry } from '@millrace/core/events'
import type { Json, JsonObject } from '@millrace/core/json'
import { type Chunk, createHistory, type Wire, type WireState } from '@millrace/core/wire'
import type { ThreadCase, ThreadRun } from './history-threads.ts'
import type { Verdict } from './law.ts'
import { sample, upTo } from './seeded.ts'
import { same } from './verdicts.ts'

/** The protocol's own client, as the suite drives it. It throws for what it refuses. */
export interface HistoryClient {
  /** The messages that it begins with, as they were loaded. */
  load(messages: readonly JsonObject[]): void
  /** It sends a question of its own. */
  ask(id: string, text: string): void
  /** It has run a tool; `callId` is that of the log. */
  output(run: ThreadRun, callId: string, output: string): void
  /** It reads one response; `note` is called behind each group of chunks. */
  read(groups: readonly (readonly Chunk[])[], note: (group: number) => void): Promise<void>
  /** What it holds now. */
  messages(): readonly JsonObject[]
}

/** What law 11 must know about a wire. */
export interface HistoryFacts {
  createClient(profile: string | undefined): HistoryClient
  /** Whether the client can go on in the middle of a message that it has loaded. */
  readonly continues: boolean
}

export interface HistoryCase extends ThreadCase {
  readonly wire: Wire
  readonly profile: string | undefined
  readonly facts: HistoryFacts
}

/** A position in a thread: behind the first `entries` entries of the run with this index. */
interface Cut {
  readonly run: number
  readonly entries: number
}

/** Law 11: at every cut, what a client loads, and then streams, is what a client holds that streamed everything. */
export async function* historyVerdicts(testCase: HistoryCase, cuts: number, seed: number): AsyncGenerator<Verdict> {
  const wanted = wantedCuts(testCase, cuts, seed)
  const { states, final } = await streamed(testCase, wanted)
  const resumed = new Set<string>()
  for (const [index, cut] of wanted.entries()) {
    const where = `run ${cut.run + 1}, after ${cut.entries} entries`
    const whole = loaded(testCase, cut, false)
    yield same(comparable(shown(testCase, whole), states[index]), states[index], `${where}, loaded live`)
    const rest = loaded(testCase, cut, true)
    const key = `${cut.run} ${JSON.stringify(rest)}`
    if (!resumed.has(key)) {
      resumed.add(key)
      const parts = messageRuns(testCase, cut.run)
      yield same(comparable(await afterwards(testCase, cut.run, rest, parts), final), final, `${where}, then streamed`)
    }
    if (!testCase.facts.continues) continue
    const groups = chunksOf(testCase, cut.run).slice(cut.entries)
    yield same(comparable(await afterwards(testCase, cut.run, whole, groups), final), final, `${where}, then continued`)
  }
}

/** A run is cut behind every entry, or at its end and at a number of entries that the seed chooses. */
function wantedCuts({ runs }: HistoryCase, cuts: number, seed: number): readonly Cut[] {
  return runs.flatMap(({ entries, first }, run) => {
    const inside = upTo(entries.length - 1).slice(first)
    return [...sample(inside, cuts, seed + entries.length), entries.length].map((count) => ({ run, entries: count }))
  })
}

/** What the client holds at each cut, and at the end, if it streams everything. */
async function streamed(testCase: HistoryCase, wanted: readonly Cut[]) {
  const client = testCase.facts.createClient(testCase.profile)
  const states: (readonly Json[])[] = []
  for (const [index, run] of testCase.runs.entries()) {
    send(client, run)
    const here = new Set(wanted.flatMap((cut) => (cut.run === index ? [cut.entries] : [])))
    await client.read(chunksOf(testCase, index), (group) => {
      if (here.has(group + 1)) states.push(throughJson(client.messages()))
    })
  }
  return { states, final: throughJson(client.messages()) }
}

function send(client: HistoryClient, run: ThreadRun): void {
  for (const { callId, output } of run.outputs ?? []) client.output(run, callId, output)
  if (run.question !== undefined) client.ask(run.question.id, run.question.text)
}

/** What the client holds at the end if it loads these messages during a run, and then streams. */
async function afterwards(
  testCase: HistoryCase,
  index: number,
  messages: readonly JsonObject[],
  groups: readonly (readonly Chunk[])[],
): Promise<readonly Json[]> {
  const client = testCase.facts.createClient(testCase.profile)
  client.load(throughJson(messages))
  await client.read(groups, () => {})
  for (const [offset, run] of testCase.runs.slice(index + 1).entries()) {
    send(client, run)
    await client.read(chunksOf(testCase, index + 1 + offset), () => {})
  }
  return throughJson(client.messages())
}

/** What a client holds that has only loaded. */
function shown({ facts, profile }: HistoryCase, messages: readonly JsonObject[]): readonly Json[] {
  const client = facts.createClient(profile)
  client.load(throughJson(messages))
  return throughJson(client.messages())
}

function loaded(testCase: HistoryCase, cut: Cut, isStreamed: boolean): readonly JsonObject[] {
  const { wire, profile, runs } = testCase
  const history = createHistory(wire, { threadId: 'thread', ...(profile !== undefined && { profile }) })
  if (history === undefined) throw new Error('The wire has no history.')
  const live = messageOf(wire, runs[cut.run])
  for (const [index, run] of runs.slice(0, cut.run + 1).entries()) {
    const { messageId } = run
    const isOfLive = isStreamed && messageOf(wire, run) === live
    history.begin({ runId: run.runId, ...(messageId !== undefined && { messageId }), isStreamed: isOfLive })
    const entries = index === cut.run ? run.entries.slice(0, cut.entries) : run.entries
    for (const entry of entries) history.push(entry)
  }
  return throughJson(history.messages())
}

const messageOf = ({ spansRuns }: Wire, run: ThreadRun | undefined) =>
  spansRuns ? (run?.messageId ?? run?.runId) : run?.runId

/** The chunks of the message of a run, from its first one: they may be those of several runs. */
function messageRuns(testCase: HistoryCase, index: number): readonly (readonly Chunk[])[] {
  const live = messageOf(testCase.wire, testCase.runs[index])
  return upTo(index).flatMap((each) =>
    messageOf(testCase.wire, testCase.runs[each]) === live ? chunksOf(testCase, each) : [],
  )
}

/** The chunks of each entry of a run. */
function chunksOf({ wire, profile, runs }: HistoryCase, index: number): readonly (readonly Chunk[])[] {
  const run = runs[index]
  if (run === undefined) return []
  const { runId, messageId } = run
  const options = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
  const wireState: WireState = wire.create({ runId, threadId: 'thread', ...options })
  return run.entries.map((entry: Entry) => wireState.push(entry))
}

/** What was loaded, without messages of people that this client has not sent and no stream contains. */
function comparable(actual: readonly Json[], expected: readonly Json[] | undefined): readonly Json[] {
  const ids = new Set(expected?.map(idOf))
  return actual.filter((message) => !isOfPerson(message) || ids.has(idOf(message)))
}

const idOf = (message: Json) => (message as JsonObject).id ?? (message as JsonObject).message_id
const isOfPerson = (message: Json) => ['user', 'system'].includes(String((message as JsonObject).role))

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value
