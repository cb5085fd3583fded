import type { Rows } from '../rows.ts'
import { approvalPart } from './approvals.ts'
import { withCitationsInMetadata } from './citations.ts'
import { defaultProfile } from './default.ts'
import type { Profile } from './profile.ts'
import type { Response } from './response.ts'

/**
 * The profile for version 6 of the SDK, which asks for approvals but has no chunk for an answer: it knows only the
 * answers that it has given itself. Answers are data parts; the output that follows one ends the question.
 */
export function profile6(response: Response): Profile {
  const isRefused = (type: unknown) => type === 'tool-approval-response'
  const older = withCitationsInMetadata(response)
  const profile = defaultProfile({
    ...older,
    emit(chunk) {
      if (!isRefused(chunk.type)) older.emit(chunk)
    },
  })
  const rows: Rows = {
    ...profile.rows,
    approval(event) {
      if (event.state !== 'requested') response.emit(approvalPart(event, {}))
      profile.rows.approval(event)
    },
  }
  return { ...profile, rows }
}
