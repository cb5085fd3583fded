import { ApiError } from '@millrace/core/api/api-error'
import type { StoredRun } from '../../log/log.ts'
import { type Pausing, pausesOf, type Resumption } from '../pauses.ts'
import type { Services } from '../services.ts'
import { answerOf, type RunRequest } from './request.ts'

/** On this wire a run that waits finishes with its questions, though ours goes on. */
export const AG_UI: Pausing = {
  wire: 'ag-ui',
  isPause: ({ chunk, entry }) => chunk.type === 'RUN_FINISHED' && entry.event.type !== 'run-end',
}

/**
 * Answers the questions of a run that waits for them, and finds where the response that asked has ended: what follows
 * is the response to the answer. An answer that is sent again changes nothing and is served the same.
 */
export async function answerAndFind(
  services: Services,
  { threadId, resume }: RunRequest,
): Promise<{ readonly run: StoredRun; readonly resumption: Resumption }> {
  const { log, runs } = services
  const ids = new Set(resume.map(({ interruptId }) => interruptId))
  for (const run of await candidates(services, threadId)) {
    const resumption = (await pausesOf(log, { run }, AG_UI)).behind(ids)
    if (resumption === undefined) continue
    for (const one of resume) await runs.answer(run.id, one.interruptId, answerOf(one))
    return { run, resumption }
  }
  throw new ApiError(409, 'not-asked', 'Nobody waits for these answers.')
}

/** The runs that may have asked: those that have not ended, and the newest, for whoever answers once more. */
async function candidates({ log }: Services, threadId: string): Promise<readonly StoredRun[]> {
  const runs = (await log.runs(threadId)).toReversed()
  return runs.filter(({ state }, index) => state !== 'ended' || index === 0)
}
