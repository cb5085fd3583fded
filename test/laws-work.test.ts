import { isDeepStrictEqual } from 'node:util'
import { type ChatEvent, createFold, fold } from '@millrace/core/fold'
import { parsers } from '@millrace/core/parse'
import {
  artifactsOf,
  callsOf,
  commandsOf,
  diffRowsOf,
  type FileState,
  filesOf,
  linesOf,
  type Moment,
  visitsOf,
} from '@millrace/core/work'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { generatedRuns, recordedRun } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'

/** Everything that the panes draw from. */
function panesOf(chatEvents: readonly ChatEvent[], upTo?: Moment) {
  const files = filesOf(chatEvents, upTo === undefined ? {} : { upTo })
  return {
    files,
    rows: files.map(diffRowsOf),
    commands: commandsOf(chatEvents, upTo),
    artifacts: artifactsOf(chatEvents, files, upTo),
    visits: visitsOf(chatEvents, upTo),
  }
}

/** Of a run that goes on, the part that has ended: what is still open looks different once it has. */
function endedPanesOf(chatEvents: readonly ChatEvent[]) {
  const last = chatEvents.at(-1)
  return panesOf(chatEvents, { runId: last?.runId ?? 'run', seq: Number.MAX_SAFE_INTEGER })
}

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

interface Run {
  readonly name: string
  readonly entries: ReturnType<typeof recordedRun>['entries']
}

/** Whether a pane shows anything of a run, or did before a message was taken back. */
function hasWork({ entries }: Run): boolean {
  const { files, commands, artifacts, visits } = panesOf(fold(entries).chatEvents)
  const isEmpty = files.length + commands.length + artifacts.length + visits.length === 0
  return !isEmpty || entries.some(({ event }) => event.type === 'message-retract')
}

/** Entries after which a travelled state differs from the live one: a message is taken back, or an ended call changes. */
function changesThePast({ entries }: Run): boolean {
  if (entries.some(({ event }) => event.type === 'message-retract')) return true
  const ended = new Map<string, number>()
  for (const { seq, event } of entries) if (event.type === 'tool-output') ended.set(event.callId, seq)
  return callsOf(fold(entries).chatEvents).some(({ segment }) => {
    const end = ended.get(segment.callId)
    return end !== undefined && segment.seqs[1] > end
  })
}

function checkLive({ name, entries }: Run): void {
  const live = createFold()
  for (const [index, entry] of entries.entries()) {
    live.push([entry])
    // The first is found with what earlier snapshots have kept, the second without.
    const drawn = panesOf(live.snapshot().chatEvents)
    const stored = panesOf(throughJson(fold(throughJson(entries.slice(0, index + 1))).chatEvents))
    if (!isDeepStrictEqual(throughJson(drawn), throughJson(stored)))
      expect(drawn, `${name} after ${index + 1}`).toEqual(stored)
  }
}

function checkTravelled({ name, entries }: Run): void {
  const whole = throughJson(fold(entries).chatEvents)
  for (const { seq } of entries) {
    const then = throughJson(endedPanesOf(throughJson(fold(entries.slice(0, seq)).chatEvents)))
    const travelled = throughJson(panesOf(whole, { runId: 'run', seq }))
    if (!isDeepStrictEqual(travelled, then)) expect(travelled, `${name} at ${seq}`).toEqual(then)
  }
}

/** What a pane shows of a file or a command leads to a call in the chat, and the text, its lines and their authors agree. */
function checkLinks({ name, entries }: Run): void {
  const { chatEvents } = fold(entries)
  const calls = new Map(callsOf(chatEvents).map(({ segment, step }) => [segment.callId, { segment, step }]))
  const { files, commands, visits } = panesOf(chatEvents)
  for (const { callId, step } of [...commands, ...visits]) expect(calls.get(callId)?.step, name).toBe(step)
  for (const file of files) {
    for (const { callId, step, seq } of [...file.versions, file.last]) {
      expect(calls.get(callId), name).toMatchObject({ step, segment: { state: 'done' } })
      expect(calls.get(callId)?.segment.seqs[1], name).toBe(seq)
    }
    checkLines(name, file)
  }
}

function checkLines(name: string, file: FileState): void {
  const { now, base, blame, versions } = file
  const lines = typeof now === 'object' ? linesOf(now.text) : []
  const steps = new Set([0, ...versions.map(({ step }) => step)])
  expect(blame, name).toHaveLength(lines.length)
  expect(
    blame.every((step) => steps.has(step)),
    name,
  ).toBe(true)
  if (now === undefined || base === undefined) return
  const side = (sign: '+' | '-') => diffRowsOf(file).flatMap((row) => (row.sign === sign ? [] : [row.text]))
  expect([side('-'), side('+')], name).toEqual([lines, typeof base === 'object' ? linesOf(base.text) : []])
}

const runs: readonly Run[] = [
  ...Object.entries(parsers).flatMap(([name, parser]) => fixturesOf(name).map((each) => recordedRun(parser, each))),
  ...generatedRuns(40, 7),
].filter(hasWork)

describe('over every recording, the files, commands and artifacts', () => {
  it('are the same at every entry, live as stored', () => {
    for (const run of runs) checkLive(run)
  })

  it('are the same at every entry as when one travels back to it', () => {
    const travelled = runs.filter((run) => !changesThePast(run))
    expect(travelled.length).toBeGreaterThan(runs.length * 0.8)
    for (const run of travelled) checkTravelled(run)
  })

  it('each lead to their call in the chat; all lines of a file have an author', () => {
    for (const run of runs) checkLinks(run)
  })
})

describe('over the corpus, the files, commands and artifacts', () => {
  for (const [name, parser] of Object.entries(parsers)) {
    const corpus = corpusOf(name)
    if ('absent' in corpus) {
      it.skip(`lead to their calls in ${name}: ${corpus.absent}`, () => {})
      continue
    }
    it(`lead to their calls in ${name}`, () => {
      for (const recording of corpus.recordings) checkLinks(recordedRun(parser, recording))
    })
  }
})
