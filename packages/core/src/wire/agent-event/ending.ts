import type { EventOf } from '../../events.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import type { AgentEvent } from './tool-events.ts'

type End = EventOf<'run-end'>

/**
 * The one chunk that ends a run. A run that was cancelled or interrupted has no answer, which the protocol can only
 * express as an error. A run that waits for input has ended without an error.
 */
export function endingOf(event: End): { readonly chunk: AgentEvent; readonly extra: Fields | undefined } {
  const { outcome, error, reason, result } = event
  const outcomeFields = { outcome, error: error === undefined ? undefined : defined({ ...error }), reason, result }
  const extra = isCoveredByChunk(event) ? undefined : outcomeFields
  if (outcome === 'success' || outcome === 'awaiting-input') return { chunk: { type: 'final' }, extra }
  return { chunk: { type: 'error', error: error?.message || reason || DEFAULT_ERRORS[outcome] }, extra }
}

const DEFAULT_ERRORS: { readonly [Outcome in Exclude<End['outcome'], 'success' | 'awaiting-input'>]: string } = {
  error: 'The run failed.',
  cancelled: 'The run was cancelled.',
  interrupted: 'The run was interrupted.',
}

/** Whether the chunk expresses the whole event: a plain success, or an error with a message and nothing else. */
function isCoveredByChunk({ type: _type, outcome, ...fields }: End): boolean {
  const isError = outcome === 'error' && fields.error !== undefined && fields.error.message !== ''
  if (outcome !== 'success' && !isError) return false
  return isOnly(fields, isError ? 'error' : undefined) && (!isError || isOnly(fields.error ?? {}, 'message'))
}

function isOnly(fields: object, name: string | undefined): boolean {
  return Object.entries(fields).every(([field, value]) => value === undefined || field === name)
}
