import type { Entry } from '@millrace/core/events'
import type { Json, JsonObject } from '@millrace/core/json'
import { type Chunk, createHistory, type History, type Wire, type WireState } from '@millrace/core/wire'
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
  /** It reads one response; `note` is called behind each group of chunks, which it MUST NOT change. */
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
  const streams = testCase.runs.map((run) => chunksOf(testCase, run))
  const { states, final } = await streamed(testCase, streams, wanted)
  const isFirst = createFirstTime()
  let index = 0
  for (const { cut, whole, rest } of loadedAt(testCase, wanted)) {
    const where = `run ${cut.run + 1}, after ${cut.entries} entries`
    const state = states[index++] ?? ''
    // Many entries change nothing for a client: what was tried already has the same result.
    yield isFirst('loaded', whole, state) ? agrees(shown(testCase, whole), state, `${where}, loaded live`) : undefined
    if (isFirst('streamed', cut.run, rest)) {
      const parts = messageStreams(testCase, streams, cut.run)
      yield agrees(await afterwards(testCase, streams, cut, rest, parts), final, `${where}, then streamed`)
    }
    if (!testCase.facts.continues) continue
    const groups = streams[cut.run]?.slice(cut.entries) ?? []
    const isNew = isFirst('continued', cut.run, whole, groups.filter((group) => group.length > 0).length)
    yield isNew
      ? agrees(await afterwards(testCase, streams, cut, whole, groups), final, `${where}, then continued`)
      : undefined
  }
}

/** Whether values are given for the first time. */
function createFirstTime() {
  const seen = new Set<string>()
  return (...values: readonly (string | number)[]): boolean => {
    const key = values.join('\n')
    return !seen.has(key) && seen.add(key) !== undefined
  }
}

/** What a client holds and what it should hold, both as JSON: mostly the same text. Otherwise the order of keys may differ. */
function agrees(actual: string, expected: string, where: string): Verdict {
  if (actual === expected) return undefined
  const whole = JSON.parse(expected)
  return same(comparable(JSON.parse(actual), whole), whole, where)
}

/** A run is cut behind every entry, or at its end and at a number of entries that the seed chooses. */
function wantedCuts({ runs }: HistoryCase, cuts: number, seed: number): readonly Cut[] {
  return runs.flatMap(({ entries, first }, run) => {
    const inside = upTo(entries.length - 1).slice(first)
    return [...sample(inside, cuts, seed + entries.length), entries.length].map((count) => ({ run, entries: count }))
  })
}

/** What the client holds at each cut, and at the end, if it streams everything, as JSON. */
async function streamed(testCase: HistoryCase, streams: Streams, wanted: readonly Cut[]) {
  const client = testCase.facts.createClient(testCase.profile)
  const states: string[] = []
  for (const [index, run] of testCase.runs.entries()) {
    send(client, run)
    const here = new Set(wanted.flatMap((cut) => (cut.run === index ? [cut.entries] : [])))
    await client.read(streams[index] ?? [], (group) => {
      if (here.has(group + 1)) states.push(JSON.stringify(client.messages()))
    })
  }
  return { states, final: JSON.stringify(client.messages()) }
}

function send(client: HistoryClient, run: ThreadRun): void {
  for (const { callId, output } of run.outputs ?? []) client.output(run, callId, output)
  if (run.question !== undefined) client.ask(run.question.id, run.question.text)
}

/** What the client holds at the end, as JSON, if it loads these messages at a cut, and then streams. */
async function afterwards(
  testCase: HistoryCase,
  streams: Streams,
  { run: index }: Cut,
  messages: string,
  groups: readonly (readonly Chunk[])[],
): Promise<string> {
  const client = testCase.facts.createClient(testCase.profile)
  client.load(JSON.parse(messages))
  await client.read(groups, () => {})
  for (const [later, run] of testCase.runs.entries()) {
    if (later <= index) continue
    send(client, run)
    await client.read(streams[later] ?? [], () => {})
  }
  return JSON.stringify(client.messages())
}

/** What a client holds that has only loaded, as JSON. */
function shown({ facts, profile }: HistoryCase, messages: string): string {
  const client = facts.createClient(profile)
  client.load(JSON.parse(messages))
  return JSON.stringify(client.messages())
}

/** What is loaded at a cut, as JSON. */
interface Loaded {
  readonly cut: Cut
  /** The messages, that of the live run included. */
  readonly whole: string
  /** Without what the client is going to stream. */
  readonly rest: string
}

/** What is loaded at each cut. A history may be read and then goes on, so each run is read once and not once for each cut. */
function* loadedAt(testCase: HistoryCase, wanted: readonly Cut[]): Generator<Loaded> {
  for (const [index, { entries }] of testCase.runs.entries()) {
    const [whole, rest] = [loading(testCase, index, false), loading(testCase, index, true)]
    let read = 0
    for (const cut of wanted.filter(({ run }) => run === index)) {
      for (const entry of entries.slice(read, cut.entries)) for (const history of [whole, rest]) history.push(entry)
      read = cut.entries
      yield { cut, whole: JSON.stringify(whole.messages()), rest: JSON.stringify(rest.messages()) }
    }
  }
}

/** A history of a branch that has read everything before the run with this index, and has begun with that one. */
function loading(testCase: HistoryCase, index: number, isStreamed: boolean): History {
  const { wire, profile, runs } = testCase
  const history = createHistory(wire, { threadId: 'thread', ...(profile !== undefined && { profile }) })
  if (history === undefined) throw new Error('The wire has no history.')
  const live = messageOf(wire, runs[index])
  for (const [at, run] of runs.slice(0, index + 1).entries()) {
    const { messageId } = run
    const isOfLive = isStreamed && messageOf(wire, run) === live
    history.begin({ runId: run.runId, ...(messageId !== undefined && { messageId }), isStreamed: isOfLive })
    if (at < index) for (const entry of run.entries) history.push(entry)
  }
  return history
}

const messageOf = ({ spansRuns }: Wire, run: ThreadRun | undefined) =>
  spansRuns ? (run?.messageId ?? run?.runId) : run?.runId

/** The chunks of the message of a run, from its first one: they may be those of several runs. */
function messageStreams({ wire, runs }: HistoryCase, streams: Streams, index: number): readonly (readonly Chunk[])[] {
  const live = messageOf(wire, runs[index])
  return streams.flatMap((stream, each) => (each <= index && messageOf(wire, runs[each]) === live ? stream : []))
}

/** The chunks of each entry of each run. All clients of a case share them, so they are frozen: a change throws. */
type Streams = readonly (readonly (readonly Chunk[])[])[]

function chunksOf({ wire, profile }: HistoryCase, { runId, messageId, entries }: ThreadRun): Streams[number] {
  const options = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
  const wireState: WireState = wire.create({ runId, threadId: 'thread', ...options })
  return entries.map((entry: Entry) => wireState.push(entry).map(frozen))
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) frozen(part)
  return value
}

/** What was loaded, without messages of people that this client has not sent and no stream contains. */
function comparable(actual: readonly Json[], expected: readonly Json[]): readonly Json[] {
  const ids = new Set(expected.map(idOf))
  return actual.filter((message) => !isOfPerson(message) || ids.has(idOf(message)))
}

const idOf = (message: Json) => (message as JsonObject).id ?? (message as JsonObject).message_id
const isOfPerson = (message: Json) => ['user', 'system'].includes(String((message as JsonObject).role))
