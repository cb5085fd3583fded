import { lineageOf, type StoredMessage } from '@millrace/core/api'
import { type ChatEvent, createFold, createMessageRow } from '@millrace/core/fold'
import { isText, type JsonObject } from '@millrace/core/json'
import type { Log, StoredRun } from '../log/log.ts'
import { MAX_ROW } from '../run/run-position.ts'
import { pageOf } from './history.ts'

/**
 * The current branch of a thread as rows of a table of messages: what people said, and for each run that has ended the row
 * that is stored with its end, under the id that its answer has on the wire. The answer of a live run has none yet.
 */
export async function messageRowsOf(
  log: Log,
  threadId: string,
  page: { readonly limit: number; readonly before?: string },
): Promise<{ readonly rows: readonly StoredMessage[]; readonly next?: string }> {
  const { runs, next } = await pageOf(log, lineageOf(await log.runs(threadId)), page, false)
  const rows: StoredMessage[] = []
  for (const run of runs) rows.push(...(await rowsOfRun(log, run)))
  return { rows, ...(next !== undefined && { next }) }
}

/** What a person says while a run is under way stands before its answer, as it does when the conversation is loaded. */
async function rowsOfRun(log: Log, { id: runId, threadId: chatId }: StoredRun): Promise<readonly StoredMessage[]> {
  const fold = createFold({ runId })
  // The same projection that the run's owner stores, of the same entries.
  const answer = createMessageRow({ maxCharacters: MAX_ROW })
  for await (const entries of log.read(runId, { after: 0, live: false })) {
    fold.push(entries)
    for (const entry of entries) answer.push(entry)
  }
  const { chatEvents, outcome } = fold.snapshot()
  const questions = chatEvents
    .filter(({ role }) => role === 'user')
    .map((asked) => ({ id: idOf(asked), chatId, role: 'user', content: textOf(asked), metadata: {} }) as const)
  if (outcome === undefined) return questions
  const { content, metadata } = answer.row()
  return [...questions, { id: runId, chatId, role: 'assistant', content, metadata: metadata as JsonObject }]
}

function idOf({ id, meta }: ChatEvent): string {
  const clientId = meta?.millrace?.clientId
  return isText(clientId) ? clientId : id
}

const textOf = ({ segments }: ChatEvent) =>
  segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])).join('\n')
