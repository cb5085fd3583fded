import type { IngestedRun } from '@millrace/core/api/api-types'
import { newRunId, newThreadId } from '@millrace/core/api/ids'
import { getParser } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import { type Framing, getSource, sources } from '@millrace/core/source'
import type { RawRecord } from '@millrace/core/source/source'
import { isTrouble, LogError } from '../log/errors.ts'
import type { Log, StoredRun } from '../log/log.ts'
import { RunRefusal } from './errors.ts'
import { feedBody } from './feed-body.ts'
import type { LiveRun } from './live-run.ts'
import type { Lives } from './lives.ts'
import { createOwner } from './owner.ts'
import { restore } from './restore.ts'
import type { IngestOptions } from './runs.ts'
import { storedRecords } from './stored-records.ts'
import type { RunLocks } from './turns.ts'
import type { Waits } from './waits.ts'
import { endWord } from './words.ts'

export interface Ingest {
  readonly log: Log
  readonly turns: RunLocks
  readonly lives: Lives
  readonly waits: Waits
  readonly report: (error: unknown, runId: string) => void
}

type Body = AsyncIterable<Uint8Array>

/** Logs a producer's stream while it arrives, from wherever the run stands. */
export async function ingest(parts: Ingest, options: IngestOptions, body: Body): Promise<IngestedRun> {
  const { log, turns, lives } = parts
  const parser = frameworkOf(options.format)
  const { runId = newRunId(), attempt = 1, line = 0 } = options
  const asked = { ...options, runId, attempt, line, parser }
  const taken = await turns.take(runId, async () => {
    const live = await takeOver(parts, asked, body).catch((error: unknown) => {
      // It may be open in the log by now, and nobody would feed it.
      if (isTrouble(error)) parts.waits.begin(runId)
      throw error
    })
    return live === undefined ? undefined : { fed: lives.host(live) }
  })
  try {
    await (taken === undefined ? refuseNews(log, asked, body) : taken.fed)
  } catch (error) {
    throw await withCount(log, runId, error)
  }
  return answerOf(await existing(log, runId))
}

interface Asked extends IngestOptions {
  readonly runId: string
  readonly attempt: number
  readonly line: number
  readonly parser: Parser
}

/** Makes this body the run's producer; nothing where the run has ended. */
async function takeOver(parts: Ingest, asked: Asked, body: Body): Promise<LiveRun | undefined> {
  const { log, waits, report } = parts
  const run = await claim(parts, asked)
  if (run.state === 'ended') return undefined
  if (asked.line > run.rawRecords) throw gap(asked.line, run.rawRecords)
  const { progress, rawRecords, isReproduced } = await restore(log, run)
  const owned = { log, run, progress, rawRecords }
  if (!isReproduced) {
    const owner = createOwner({ ...owned, at: 0, onFailure: (error) => report(error, run.id) })
    await owner.close(endWord('interrupted'))
    waits.cancel(run.id)
    return undefined
  }
  await log.setState(run.id, 'live')
  waits.cancel(run.id)
  return feedBody({
    body,
    line: asked.line,
    framing: framingOf(asked, run),
    rawRecords,
    stored: storedRecords(log, run.id, asked.line),
    createOwner: (told) => createOwner({ ...owned, ...told }),
  })
}

/**
 * A body that resumes is read as the first was: it may begin with a line that looks like another framing. Only the rest
 * of an array cannot look like its beginning.
 */
function framingOf({ framing }: Asked, run: StoredRun): Framing {
  if (framing !== undefined) return framing
  const { framing: stored } = run
  return stored !== undefined && stored !== 'json-array' && stored in sources ? (stored as Framing) : 'auto'
}

/** The run, new or as it is, with every lower attempt fenced. */
async function claim({ log, lives }: Ingest, asked: Asked): Promise<StoredRun> {
  const known = (await log.run(asked.runId)) ?? (await create(log, asked))
  refuseOthers(known, asked)
  if (known.state === 'ended') return known
  const live = lives.get(known.id)
  if (live !== undefined && asked.attempt === known.attempt && !live.owner.isEnded()) {
    throw new RunRefusal('run-busy', known.id)
  }
  const claimed = await claimFrom(log, asked)
  if (live === undefined) return claimed
  live.cut(new RunRefusal('stale-attempt', known.id))
  await lives.released(known.id)
  return existing(log, known.id)
}

async function create(log: Log, { runId, threadId, format, parser, attempt, line }: Asked): Promise<StoredRun> {
  if (line > 0) throw gap(line, 0)
  const thread = threadId ?? newThreadId()
  const parserVersion = parser.version
  const { run } = await log.createRun({ id: runId, threadId: thread, format, parserVersion, attempt })
  return run
}

/** A producer adds only to a run that is its own. */
function refuseOthers(run: StoredRun, { threadId, format }: Asked): void {
  if (run.agent !== undefined) throw new RunRefusal('not-ingested', run.id)
  if (threadId !== undefined && threadId !== run.threadId) throw new RunRefusal('wrong-thread', run.id)
  if (format !== run.format) throw new RunRefusal('wrong-format', run.format)
}

async function claimFrom(log: Log, { runId, attempt }: Asked): Promise<StoredRun> {
  try {
    return await log.claim(runId, attempt)
  } catch (cause) {
    const isStale = cause instanceof LogError && cause.code === 'stale-attempt'
    throw isStale ? new RunRefusal('stale-attempt', runId, { cause }) : cause
  }
}

/** Reads a body that comes after the end: a producer that has lost the answer sends the same again and gets it. */
async function refuseNews(log: Log, asked: Asked, body: Body): Promise<void> {
  const { runId } = asked
  const run = await existing(log, runId)
  const source = getSource(framingOf(asked, run))()
  const stored = storedRecords(log, runId, asked.line)
  const compare = async (records: readonly RawRecord[]) => {
    if ((await stored.firstOther(records)) !== undefined) throw new RunRefusal('run-closed', runId)
  }
  for await (const chunk of body) await compare(source.feed(chunk))
  await compare(source.end())
}

/** The refusal with the number that tells its producer where to go on. */
async function withCount(log: Log, runId: string, error: unknown): Promise<unknown> {
  if (!(error instanceof RunRefusal) || error.rawRecords !== undefined) return error
  const { rawRecords } = await existing(log, runId)
  return new RunRefusal(error.code, runId, { cause: error.cause ?? error, rawRecords })
}

function answerOf({ threadId, id, rawRecords, seq, outcome }: StoredRun): IngestedRun {
  return { threadId, runId: id, rawRecords, entries: seq, ...(outcome !== undefined && { outcome }) }
}

async function existing(log: Log, runId: string): Promise<StoredRun> {
  const run = await log.run(runId)
  if (run === undefined) throw new RunRefusal('unknown-run', runId)
  return run
}

function gap(line: number, rawRecords: number): RunRefusal {
  const detail = `the body begins with record ${line}, but ${rawRecords} are here`
  return new RunRefusal('gap', detail, { rawRecords })
}

function frameworkOf(format: string): Parser {
  try {
    return getParser(format)
  } catch (cause) {
    throw new RunRefusal('unknown-format', format, { cause })
  }
}
