import { type IngestedRun, newRunId, newThreadId } from '@millrace/core/api'
import { getParser, type Parser } from '@millrace/core/parse'
import { READER_VERSION } from '@millrace/core/read'
import { type Framing, getSource, type RawRecord, sources } from '@millrace/core/source'
import { isTrouble, LogError } from '../log/errors.ts'
import type { Log, StoredRun } from '../log/log.ts'
import { RunRefusal } from './errors.ts'
import { feedBody } from './feed-body.ts'
import type { LiveRun, LiveRuns } from './live-runs.ts'
import { createOwner, type KeepFile } from './owner.ts'
import { restore } from './restore.ts'
import type { RunLocks } from './run-locks.ts'
import type { IngestOptions } from './runs.ts'
import { endEvent } from './server-events.ts'
import { storedRecords } from './stored-records.ts'
import type { Waits } from './waits.ts'

export interface IngestContext {
  readonly log: Log
  readonly runLocks: RunLocks
  readonly liveRuns: LiveRuns
  readonly waits: Waits
  readonly keepFile: KeepFile
  readonly report: (error: unknown, runId: string) => void
}

type Body = AsyncIterable<Uint8Array>

/** Logs a producer's stream while it arrives, starting at the run's position. */
export async function ingest(context: IngestContext, options: IngestOptions, body: Body): Promise<IngestedRun> {
  const { log, runLocks, liveRuns } = context
  const parser = parserOf(options.format)
  const { runId = newRunId(), attempt = 1, line = 0 } = options
  const request = { ...options, runId, attempt, line, parser }
  const hosting = await runLocks.take(runId, async () => {
    const live = await takeOver(context, request, body).catch((error: unknown) => {
      // The run may be open in the log by now, without a producer.
      if (isTrouble(error) && liveRuns.get(runId) === undefined) context.waits.begin(runId)
      throw error
    })
    return live === undefined ? undefined : { fed: liveRuns.host(live) }
  })
  try {
    await (hosting === undefined ? refuseNewRecords(log, request, body) : hosting.fed)
  } catch (error) {
    throw await withCount(log, runId, error)
  }
  return ingestedRun(await existingRun(log, runId))
}

interface IngestRequest extends IngestOptions {
  readonly runId: string
  readonly attempt: number
  readonly line: number
  readonly parser: Parser
}

/** Makes this body the run's producer. Resolves with undefined if the run has ended. */
async function takeOver(context: IngestContext, request: IngestRequest, body: Body): Promise<LiveRun | undefined> {
  const { log, liveRuns, waits, keepFile, report } = context
  const run = await claim(context, request)
  if (run.state === 'ended') return undefined
  if (request.line > run.rawRecords) throw gapRefusal(request.line, run.rawRecords)
  const { position, rawRecords, isReproduced } = await restore(log, run)
  const ownerOptions = { log, run, position, rawRecords, keepFile }
  if (!isReproduced) {
    const owner = createOwner({ ...ownerOptions, at: 0, onFailure: (error) => report(error, run.id) })
    await owner.close(endEvent('interrupted'))
    waits.cancel(run.id)
    liveRuns.pack(run.id)
    return undefined
  }
  await log.setState(run.id, 'live')
  waits.cancel(run.id)
  return feedBody({
    body,
    line: request.line,
    framing: framingOf(request, run),
    rawRecords,
    stored: storedRecords(log, run.id, request.line),
    createOwner: (bodyOptions) => createOwner({ ...ownerOptions, ...bodyOptions }),
  })
}

/**
 * A body that resumes a run is read with the framing of the first: its first line may look like another framing. Only
 * for an array is the framing detected again, because the rest of an array does not look like its beginning.
 */
function framingOf({ framing }: IngestRequest, run: StoredRun): Framing {
  if (framing !== undefined) return framing
  const { framing: stored } = run
  return stored !== undefined && stored !== 'json-array' && stored in sources ? (stored as Framing) : 'auto'
}

/** The new or existing run, with every lower attempt fenced. */
async function claim({ log, liveRuns }: IngestContext, request: IngestRequest): Promise<StoredRun> {
  const run = (await log.run(request.runId)) ?? (await create(log, request))
  checkProducer(run, request)
  if (run.state === 'ended') return run
  const live = liveRuns.get(run.id)
  if (live !== undefined && request.attempt === run.attempt && !live.owner.isEnded()) {
    throw new RunRefusal('run-busy', run.id)
  }
  const claimed = await claimFrom(log, request)
  if (live === undefined) return claimed
  live.cut(new RunRefusal('stale-attempt', run.id))
  await liveRuns.released(run.id)
  return existingRun(log, run.id)
}

async function create(log: Log, { runId, threadId, format, parser, attempt, line }: IngestRequest): Promise<StoredRun> {
  if (line > 0) throw gapRefusal(line, 0)
  const thread = threadId ?? newThreadId()
  const versions = { parserVersion: parser.version, readerVersion: READER_VERSION }
  const { run } = await log.createRun({ id: runId, threadId: thread, format, ...versions, attempt })
  return run
}

/** Throws unless the run is one that this producer may add to. */
function checkProducer(run: StoredRun, { threadId, format }: IngestRequest): void {
  if (run.agent !== undefined) throw new RunRefusal('not-ingested', run.id)
  if (threadId !== undefined && threadId !== run.threadId) throw new RunRefusal('wrong-thread', run.id)
  if (format !== run.format) throw new RunRefusal('wrong-format', run.format)
}

async function claimFrom(log: Log, { runId, attempt }: IngestRequest): Promise<StoredRun> {
  try {
    return await log.claim(runId, attempt)
  } catch (cause) {
    const isStale = cause instanceof LogError && cause.code === 'stale-attempt'
    throw isStale ? new RunRefusal('stale-attempt', runId, { cause }) : cause
  }
}

/** Reads a body for an ended run: a producer that lost the response may send the same records again, no others. */
async function refuseNewRecords(log: Log, request: IngestRequest, body: Body): Promise<void> {
  const { runId } = request
  const run = await existingRun(log, runId)
  const source = getSource(framingOf(request, run))()
  const stored = storedRecords(log, runId, request.line)
  const compare = async (records: readonly RawRecord[]) => {
    if ((await stored.firstDifferent(records)) !== undefined) throw new RunRefusal('run-closed', runId)
  }
  for await (const chunk of body) await compare(source.feed(chunk))
  await compare(source.end())
}

/** The refusal with the number of durable records, so that the producer can continue there. */
async function withCount(log: Log, runId: string, error: unknown): Promise<unknown> {
  if (!(error instanceof RunRefusal) || error.rawRecords !== undefined) return error
  const { rawRecords } = await existingRun(log, runId)
  return new RunRefusal(error.code, runId, { cause: error.cause ?? error, rawRecords })
}

function ingestedRun({ threadId, id, rawRecords, seq, outcome }: StoredRun): IngestedRun {
  return { threadId, runId: id, rawRecords, entries: seq, ...(outcome !== undefined && { outcome }) }
}

async function existingRun(log: Log, runId: string): Promise<StoredRun> {
  const run = await log.run(runId)
  if (run === undefined) throw new RunRefusal('unknown-run', runId)
  return run
}

function gapRefusal(line: number, rawRecords: number): RunRefusal {
  const detail = `the body begins with record ${line}, but only ${rawRecords} are stored`
  return new RunRefusal('gap', detail, { rawRecords })
}

function parserOf(format: string): Parser {
  try {
    return getParser(format)
  } catch (cause) {
    throw new RunRefusal('unknown-format', format, { cause })
  }
}
