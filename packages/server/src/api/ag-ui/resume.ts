import { ApiError, mainRuns } from '@millrace/core/api'
import type { StoredRun } from '../../log/log.ts'
import { answerApproval } from '../../run/ask.ts'
import { pausesOf, type Resumption, type WireChoice } from '../pauses.ts'
import type { Services } from '../services.ts'
import { answerOf, type RunRequest } from './request.ts'

/** The wire of AG-UI's clients: a run that waits finishes with its questions, though the run goes on. */
export function agUiIn(profile: string | undefined): WireChoice {
  return { wire: 'ag-ui', ...(profile !== undefined && { profile }) }
}

/**
 * Answers the open questions of a run, and finds where the response that asked them ended: what follows is the response to
 * the answers. An answer that is sent again changes nothing and gets the same response.
 */
export async function answerInterrupts(
  services: Services,
  choice: WireChoice,
  { threadId, resume, messages }: RunRequest,
): Promise<{ readonly run: StoredRun; readonly resumption: Resumption }> {
  const { log, runs } = services
  const ids = new Set(resume.map(({ interruptId }) => interruptId))
  const held = heldIn(messages)
  for (const run of await candidates(services, threadId)) {
    const resumption = (await pausesOf(log, { run }, choice)).resumptionOf(ids, { held })
    if (resumption === undefined) continue
    const awaits = new Set<string>()
    for (const one of resume) {
      const result = await answerApproval(runs, run.id, one.interruptId, answerOf(one))
      if (result !== 'not-asked') awaits.add(one.interruptId)
    }
    return { run, resumption: { ...resumption, awaits } }
  }
  throw new ApiError(409, 'not-asked', 'No question is open that these answers belong to.')
}

/** Runs that may have asked: those that have not ended, and the newest one, for an answer that is sent again. */
async function candidates({ log }: Services, threadId: string): Promise<readonly StoredRun[]> {
  const runs = mainRuns(await log.runs(threadId)).toReversed()
  return runs.filter(({ state }, index) => state !== 'ended' || index === 0)
}

/** The ids of the messages and calls that the client holds. */
function heldIn(messages: RunRequest['messages']): ReadonlySet<unknown> {
  return new Set(
    messages.flatMap(({ id, toolCalls }) => [
      id,
      ...(Array.isArray(toolCalls) ? toolCalls.map((call: { readonly id?: unknown } | null) => call?.id) : []),
    ]),
  )
}
