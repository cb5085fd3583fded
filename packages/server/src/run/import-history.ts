import { createHash } from 'node:crypto'
import { newRunId } from '@millrace/core/api'
import type { StreamEvent } from '@millrace/core/events'
import { getParser } from '@millrace/core/parse'
import { READER_VERSION } from '@millrace/core/read'
import type { Log, StoredRun } from '../log/log.ts'
import { type BroughtMessage, broughtEvents } from './brought-messages.ts'
import { nameThread } from './name-thread.ts'
import type { Node } from './node.ts'
import { createOwner, type KeepFile } from './owner.ts'
import { createRunPosition } from './run-position.ts'
import { createRunReader } from './run-reader.ts'
import { inputsBy } from './start.ts'
import { titleOf } from './user-message.ts'

export interface ImportContext {
  readonly log: Log
  readonly node: Node
  readonly keepFile: KeepFile
}

export interface BroughtHistory {
  readonly threadId: string
  /** The run that the messages follow; absent if they are the beginning of the conversation. */
  readonly afterRunId?: string
  readonly messages: readonly BroughtMessage[]
}

/** The format under which the run is stored. It has no records: all its inputs are events. */
const FORMAT = 'chat-events'

const MOST_TRIES = 10

/**
 * Logs messages that a client brings along, as a run of their own that has ended. Resolves when it is durable. The same
 * messages at the same position are logged once.
 */
export async function importHistory(context: ImportContext, history: BroughtHistory): Promise<StoredRun> {
  const { log } = context
  const hash = createHash('sha256').update(JSON.stringify([history.afterRunId ?? '', history.messages]))
  const key = `import:${hash.digest('base64url')}`
  for (let number = 1; number <= MOST_TRIES; number++) {
    const { run, isNew } = await createImport(context, history, `${key}:${number}`)
    if (isNew) return write(context, run, history)
    const existing = await ended(log, run)
    // A process that died while it wrote has left a run without messages.
    if (existing.outcome === 'success') return existing
  }
  throw new Error('The log did not take the history.')
}

function createImport({ log, node }: ImportContext, { threadId, afterRunId }: BroughtHistory, idempotencyKey: string) {
  const newRun = {
    id: newRunId(),
    threadId,
    ...(afterRunId !== undefined && { afterRunId }),
    format: FORMAT,
    parserVersion: getParser(FORMAT).version,
    readerVersion: READER_VERSION,
    attempt: 1,
    idempotencyKey,
  }
  return node.use((owner) => log.createRun({ ...newRun, owner }))
}

const START: StreamEvent = { type: 'run-start', meta: { millrace: { imported: true } } }

async function write({ log, keepFile }: ImportContext, run: StoredRun, history: BroughtHistory): Promise<StoredRun> {
  const position = createRunPosition(createRunReader(run))
  const owner = createOwner({ log, run, position, rawRecords: 0, keepFile, onFailure: () => undefined })
  const messages = inputsBy('client', broughtEvents(history.messages))
  await owner.addInputs([...inputsBy('server', [START]), ...messages])
  await owner.close({ type: 'run-end', outcome: 'success' })
  await nameThread(log, run.threadId, titleOf({ text: titleTextIn(history.messages) }))
  return (await log.run(run.id)) ?? run
}

/** The first text of a person. */
function titleTextIn(messages: readonly BroughtMessage[]): string {
  const parts = messages.filter(({ role }) => role === 'user').flatMap((message) => message.parts)
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))[0] ?? ''
}

/** The run once it has ended. */
async function ended(log: Log, run: StoredRun): Promise<StoredRun> {
  if (run.state === 'ended') return run
  for await (const _entries of log.read(run.id, { after: 0, live: true }));
  return (await log.run(run.id)) ?? run
}
