import { createHash } from 'node:crypto'
import type { Entry } from '@millrace/core/entry'
import type { StreamEvent } from '@millrace/core/events'
import { createFold, FOLD_VERSION } from '@millrace/core/fold'
import { native } from '@millrace/core/format/native'
import { getParser } from '@millrace/core/parse'
import type { Log, RunInfo, RunInput } from '../log/log.ts'
import { createComparison, createRunReader, readInput } from '../run/reread.ts'

export interface Verdict {
  readonly ok: boolean
  readonly runId: string
  readonly state: RunInfo['state']
  readonly entries: number
  readonly rawRecords: number
  readonly foldVersion: number
  /** Of what the logged entries fold to. */
  readonly foldHash: string
  /** Of what a client folds from the delivered chunks. */
  readonly deliveredHash: string
  /** Whether reading the inputs again gives the logged events again. */
  readonly reread: 'same' | 'different' | 'other-parser'
  /** What is wrong, in sentences. */
  readonly problems: readonly string[]
}

/** Whether what was logged is what was read, what is folded and what is delivered. */
export async function verifyRun(log: Log, run: RunInfo): Promise<Verdict> {
  const entries: Entry[] = []
  for await (const batch of log.read(run.id, { after: 0, live: false })) entries.push(...batch)
  const foldHash = hashOf(run.id, entries)
  const deliveredHash = hashOf(run.id, delivered(run, entries))
  const { reread, rawRecords, problem } = await readAgain(log, run, entries)
  const problems = [
    ...orderProblems(entries),
    ...(foldHash === deliveredHash ? [] : ['What is delivered folds to something else.']),
    ...(problem === undefined ? [] : [problem]),
  ]
  const { id: runId, state } = run
  const counts = { entries: entries.length, rawRecords }
  const hashes = { foldVersion: FOLD_VERSION, foldHash, deliveredHash }
  return { ok: problems.length === 0, runId, state, ...counts, ...hashes, reread, problems }
}

function hashOf(runId: string, entries: readonly Entry[]): string {
  const fold = createFold({ runId })
  // One by one, as a viewer gets them: how they are batched must not matter.
  for (const entry of entries) fold.push([entry])
  return createHash('sha256').update(JSON.stringify(fold.snapshot())).digest('hex')
}

function delivered({ id: runId, threadId }: RunInfo, entries: readonly Entry[]): readonly Entry[] {
  const formatter = native.create({ runId, threadId })
  return entries.flatMap((entry) => formatter.push(entry).map((chunk) => JSON.parse(JSON.stringify(chunk)) as Entry))
}

function orderProblems(entries: readonly Entry[]): readonly string[] {
  const gap = entries.find((entry, index) => entry.seq !== index + 1)
  const step = entries.find((entry, index) => entry.at < (entries[index - 1]?.at ?? 0))
  const early = entries.findIndex(({ event }) => event.type === 'run-end')
  return [
    ...(gap === undefined ? [] : [`Entry ${gap.seq} is not where its number says.`]),
    ...(step === undefined ? [] : [`Entry ${step.seq} is older than the one before it.`]),
    ...(early === -1 || early === entries.length - 1 ? [] : [`Entries follow the run's end at ${early + 1}.`]),
  ]
}

type Reread = Pick<Verdict, 'reread' | 'rawRecords'> & { readonly problem?: string }

async function readAgain(log: Log, run: RunInfo, entries: readonly Entry[]): Promise<Reread> {
  const inputs: RunInput[] = []
  for await (const batch of log.inputs(run.id)) inputs.push(...batch)
  const rawRecords = inputs.filter(({ by }) => by === 'producer').length
  const parser = parserOf(run.format)
  // Another version may rightly read the records otherwise.
  if (parser?.version !== run.parserVersion) return { reread: 'other-parser', rawRecords }
  const reader = createRunReader(run)
  const made = inputs.flatMap((input) => madeOf(readInput(reader, input), input.by))
  if (entries.at(-1)?.event.type === 'run-end') made.push(...madeOf(reader.end(), 'producer'))
  // A live run has gone on since its entries were read.
  else made.splice(entries.length)
  const isSame = createComparison()
  const at = entries.findIndex((entry, index) => {
    const again = made[index]
    return again === undefined || !isSame(entry, again.event, again.by)
  })
  if (at === -1 && made.length === entries.length) return { reread: 'same', rawRecords }
  const place = at === -1 ? made.length : at + 1
  return {
    reread: 'different',
    rawRecords,
    problem: `Reading the inputs again differs from the log at entry ${place}.`,
  }
}

function parserOf(format: string) {
  try {
    return getParser(format)
  } catch {
    return undefined
  }
}

const madeOf = (events: readonly StreamEvent[], by: RunInput['by']) => events.map((event) => ({ event, by }))
