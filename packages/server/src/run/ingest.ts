import { type IngestedRun, newRunId } from '@millrace/core/api'
import { FILE } from '@millrace/core/fold'
import { getParser, type Parser } from '@millrace/core/parse'
import { type Framing, getSource, type RawRecord, sources } from '@millrace/core/source'
import { LogError } from '../log/errors.ts'
import type { Log, StoredRun } from '../log/log.ts'
import { acquireFor, gapRefusal } from './acquire-for.ts'
import { detectBody } from './detect-body.ts'
import { type RefusalCode, RunRefusal } from './errors.ts'
import { feedBody } from './feed-body.ts'
import type { LiveRun } from './live-run.ts'
import { createTitleWatch, nameThread } from './name-thread.ts'
import type { Node } from './node.ts'
import type { OwnedRuns } from './owned-runs.ts'
import { type AddedInput, createOwner, type KeepFile } from './owner.ts'
import { restore } from './restore.ts'
import type { IngestOptions, Sleep } from './runs.ts'
import { endEvent } from './server-events.ts'
import { storedRecords } from './stored-records.ts'

export interface IngestContext {
  readonly log: Log
  readonly node: Node
  readonly ownedRuns: OwnedRuns
  readonly keepFile: KeepFile
  readonly resumeWithin: number
  readonly settleWithin: number
  readonly sleep: Sleep
  /** Whether no run may begin here any more. */
  readonly isDraining: () => boolean
  readonly report: (error: unknown, runId: string) => void
}

type Body = AsyncIterable<Uint8Array>

/** The format of a body that says itself which it is. */
const AUTO = 'auto'

/** Logs a producer's stream while it arrives, starting at the run's position. */
export async function ingest(context: IngestContext, options: IngestOptions, body: Body): Promise<IngestedRun> {
  if (options.format !== AUTO) return ingestAs(context, options, body)
  const { runId, framing } = options
  const run = runId === undefined ? undefined : await context.log.run(runId)
  if (run !== undefined) return ingestAs(context, { ...options, format: run.format }, body)
  const detected = await detectBody(body, framing ?? AUTO, context.sleep)
  return ingestAs(context, { ...options, format: detected.format }, detected.body)
}

async function ingestAs(context: IngestContext, options: IngestOptions, body: Body): Promise<IngestedRun> {
  const { log, ownedRuns } = context
  const parser = parserOf(options.format)
  const { runId = newRunId(), attempt = 1, line = 0 } = options
  const request = { ...options, runId, attempt, line, parser }
  try {
    const live = await takeOver(context, request, body)
    await (live === undefined ? refuseNewRecords(log, request, body) : ownedRuns.host(live))
  } catch (error) {
    throw await withCount(log, runId, producerErrorOf(error, runId))
  }
  return ingestedRun(await existingRun(log, runId))
}

export interface IngestRequest extends IngestOptions {
  readonly runId: string
  readonly attempt: number
  readonly line: number
  readonly parser: Parser
}

/** Makes this body the run's producer. Resolves with undefined if the run has ended. */
async function takeOver(context: IngestContext, request: IngestRequest, body: Body): Promise<LiveRun | undefined> {
  const run = await acquireFor(context, request)
  if (run.state === 'ended') return undefined
  try {
    return await liveRun(context, run, request, body)
  } catch (error) {
    void context.ownedRuns.release({ run }, context.resumeWithin)
    throw error
  }
}

async function liveRun(
  { log, ownedRuns, keepFile, report }: IngestContext,
  run: StoredRun,
  request: IngestRequest,
  body: Body,
): Promise<LiveRun | undefined> {
  if (request.line > run.rawRecords) throw gapRefusal(request.line, run.rawRecords)
  const { position, rawRecords, isReproduced } = await restore(log, run)
  const isFresh = position.seq() === 0
  const ownerOptions = { log, run, position, rawRecords, keepFile }
  const name = (title: string) => nameThread(log, run.threadId, title).catch((error) => report(error, run.id))
  if (!isReproduced) {
    const owner = createOwner({ ...ownerOptions, at: 0, onFailure: (error) => report(error, run.id) })
    await owner.close(endEvent('interrupted'))
    ownedRuns.pack(run.id)
    return undefined
  }
  return feedBody({
    log,
    body,
    line: request.line,
    framing: framingOf(request, run),
    rawRecords,
    stored: storedRecords(log, run.id, request.line),
    createOwner(bodyOptions) {
      if (!isFresh) return createOwner({ ...ownerOptions, ...bodyOptions })
      const { title, file } = request
      const onEvent = title === undefined ? createTitleWatch(run.id, (found) => void name(found)) : undefined
      const owner = createOwner({ ...ownerOptions, ...bodyOptions, ...(onEvent !== undefined && { onEvent }) })
      // Whoever feeds the run hears of a failure.
      if (file !== undefined) owner.addInputs([fileInput(file)]).catch(() => undefined)
      if (title !== undefined) void name(title)
      return owner
    },
  })
}

const fileInput = (file: string): AddedInput => ({
  by: 'client',
  event: { type: 'metadata', metadata: { [FILE]: file } },
})

/**
 * A body that resumes a run is read with the framing of the first: its first line may look like another framing. Only
 * for an array is the framing detected again, because the rest of an array does not look like its beginning.
 */
function framingOf({ framing }: IngestRequest, run: StoredRun): Framing {
  if (framing !== undefined) return framing
  const { framing: stored } = run
  return stored !== undefined && stored !== 'json-array' && stored in sources ? (stored as Framing) : 'auto'
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

/**
 * What the log refuses this node is none of the producer's mistakes. A writer that has lost its run: another node feeds it now.
 * One that has misread the run: its producer can try again.
 */
const refusalsOfLog: { readonly [code: string]: RefusalCode } = {
  'stale-owner': 'run-busy',
  'wrong-position': 'out-of-step',
  // Its next lease has ended, too.
  'unknown-node': 'lease-lost',
}

function producerErrorOf(error: unknown, runId: string): unknown {
  const code = error instanceof LogError ? refusalsOfLog[error.code] : undefined
  return code === undefined ? error : new RunRefusal(code, runId, { cause: error })
}

/** The refusal with the number of durable records, so that the producer can continue there. */
async function withCount(log: Log, runId: string, error: unknown): Promise<unknown> {
  if (!(error instanceof RunRefusal) || error.rawRecords !== undefined) return error
  // It may be refused before there is a run.
  const run = await log.run(runId)
  return run === undefined
    ? error
    : new RunRefusal(error.code, runId, { cause: error.cause ?? error, rawRecords: run.rawRecords })
}

function ingestedRun({ threadId, id, rawRecords, seq, outcome }: StoredRun): IngestedRun {
  return { threadId, runId: id, rawRecords, entries: seq, ...(outcome !== undefined && { outcome }) }
}

async function existingRun(log: Log, runId: string): Promise<StoredRun> {
  const run = await log.run(runId)
  if (run === undefined) throw new RunRefusal('unknown-run', runId)
  return run
}

function parserOf(format: string): Parser {
  try {
    return getParser(format)
  } catch (cause) {
    throw new RunRefusal('unknown-format', format, { cause })
  }
}
