import type { EventOf } from '../../events.ts'
import type { Rows } from '../rows.ts'
import { approvalPart } from './approvals.ts'
import { withCitationsInMetadata } from './citations.ts'
import { defaultProfile } from './default.ts'
import type { Profile } from './profile.ts'
import type { Response } from './response.ts'

/**
 * The profile for version 5 of the SDK, which has no approvals: it refuses their chunks, and the output of a denied call.
 * Questions are data parts. No response ends with one, because such a client cannot answer by a request: the answer comes
 * from elsewhere, and the response goes on.
 */
export function profile5(response: Response): Profile {
  const profile = defaultProfile(withCitationsInMetadata(response))
  const questions = new Map<string, EventOf<'approval'>>()
  const rows: Rows = {
    ...profile.rows,
    approval(event) {
      const { approvalId } = event
      response.emit(approvalPart(event, questions.get(approvalId) ?? {}))
      if (event.state === 'requested') questions.set(approvalId, event)
      else questions.delete(approvalId)
    },
    'tool-output': (event) => profile.rows['tool-output'](event.status === 'denied' ? asFailure(event) : event),
  }
  return { ...profile, rows }
}

/** A denied call as one that failed; our own fields say that it was denied. */
function asFailure(event: EventOf<'tool-output'>): EventOf<'tool-output'> {
  const { error = 'Denied', output, meta } = event
  const millrace = { ...meta?.millrace, status: 'denied', ...(event.error !== undefined && { error }) }
  return { ...event, status: 'error', error, output, meta: { ...meta, millrace } }
}
