import { newThreadId } from '@millrace/core/api'
import { READER_VERSION } from '@millrace/core/read'
import { LogError } from '../log/errors.ts'
import type { StoredRun } from '../log/log.ts'
import { RunRefusal } from './errors.ts'
import type { IngestContext, IngestRequest } from './ingest.ts'
import { untilFound } from './settled.ts'

/** The new or existing run, owned by this node unless it has ended. Throws if the producer may not feed it. */
export async function acquireFor(context: IngestContext, request: IngestRequest): Promise<StoredRun> {
  const { log } = context
  const existing = await log.run(request.runId)
  if (existing === undefined) {
    const { run, isNew } = await create(context, request)
    if (isNew) return run
  }
  checkProducer((existing ?? (await log.run(request.runId))) as StoredRun, request)
  return (await acquire(context, request)) ?? acquireFromOwner(context, request)
}

async function create({ log, node, isDraining }: IngestContext, request: IngestRequest) {
  const { runId, threadId = newThreadId(), format, parser, attempt, line } = request
  if (line > 0) throw gapRefusal(line, 0)
  if (isDraining()) throw new RunRefusal('draining', runId, { rawRecords: 0 })
  const versions = { parserVersion: parser.version, readerVersion: READER_VERSION }
  return node.use((owner) => log.createRun({ id: runId, threadId, format, ...versions, attempt, owner }))
}

/** Throws unless the run is one that this producer may add to. */
function checkProducer(run: StoredRun, { threadId, format }: IngestRequest): void {
  if (run.agent !== undefined) throw new RunRefusal('not-ingested', run.id)
  if (threadId !== undefined && threadId !== run.threadId) throw new RunRefusal('wrong-thread', run.id)
  if (format !== run.format) throw new RunRefusal('wrong-format', run.format)
}

/** Undefined if another node, or another body at this one, feeds the run. */
async function acquire(
  { log, node, ownedRuns }: IngestContext,
  { runId, attempt }: IngestRequest,
): Promise<StoredRun | undefined> {
  await ownedRuns.releaseAgain(runId)
  try {
    return await node.use((nodeId) => log.acquire(runId, nodeId, attempt))
  } catch (cause) {
    const code = cause instanceof LogError ? cause.code : undefined
    if (code === 'run-owned') return undefined
    throw code === 'stale-attempt' ? new RunRefusal('stale-attempt', runId, { cause }) : cause
  }
}

/**
 * Asks the owner to leave the run to a higher attempt, and waits until it has. Another lower attempt may be faster, and is
 * asked then. Throws `run-busy` if the owner's attempt is not lower.
 */
async function acquireFromOwner(context: IngestContext, request: IngestRequest): Promise<StoredRun> {
  const { log, sleep, settleWithin } = context
  const { runId, attempt } = request
  let askedEpoch: number | undefined
  const run = await untilFound({ log, runId, sleep, within: settleWithin }, async () => {
    const acquired = await acquire(context, request)
    if (acquired !== undefined) return acquired
    const owned = await log.run(runId)
    if (owned === undefined || owned.attempt >= attempt) throw new RunRefusal('run-busy', runId)
    if (owned.epoch !== askedEpoch) await log.tell(runId, { command: { type: 'take-over', attempt } })
    askedEpoch = owned.epoch
    return undefined
  })
  if (run !== undefined) return run
  throw new RunRefusal('run-busy', runId)
}

export function gapRefusal(line: number, rawRecords: number): RunRefusal {
  const detail = `the body begins with record ${line}, but only ${rawRecords} are stored`
  return new RunRefusal('gap', detail, { rawRecords })
}
