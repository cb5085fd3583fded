import type { EventOf } from '../../events.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import type { AgentEvent } from './tool-events.ts'

type End = EventOf<'run-end'>

/**
 * The one chunk that ends a run. Whoever stopped a run, or whatever broke it off, there is no answer, which a client
 * can only be told as an error. A run that waits for a person has said all it can say for now, and nothing went wrong.
 */
export function endingOf(event: End): { readonly words: AgentEvent; readonly marks: Fields | undefined } {
  const { outcome, error, reason, result } = event
  const told = { outcome, error: error === undefined ? undefined : defined({ ...error }), reason, result }
  const marks = isSaid(event) ? undefined : told
  if (outcome === 'success' || outcome === 'awaiting-input') return { words: { type: 'final' }, marks }
  return { words: { type: 'error', error: error?.message || reason || WORDS[outcome] }, marks }
}

const WORDS: { readonly [Outcome in Exclude<End['outcome'], 'success' | 'awaiting-input'>]: string } = {
  error: 'The run failed.',
  cancelled: 'The run was cancelled.',
  interrupted: 'The run was interrupted.',
}

/** Whether the words say all of it: a plain success, or an error with a message and nothing else. */
function isSaid({ type: _type, outcome, ...rest }: End): boolean {
  const isError = outcome === 'error' && rest.error !== undefined && rest.error.message !== ''
  if (outcome !== 'success' && !isError) return false
  return isOnly(rest, isError ? 'error' : undefined) && (!isError || isOnly(rest.error ?? {}, 'message'))
}

function isOnly(fields: object, name: string | undefined): boolean {
  return Object.entries(fields).every(([field, value]) => value === undefined || field === name)
}
