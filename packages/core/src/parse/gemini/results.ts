import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import type { CodeExecutionResult } from './raw.ts'

type Result = Pick<EventOf<'tool-output'>, 'status' | 'output' | 'error'>

/** Google wraps what a function gave in `output`, or in `error` where it failed; anything else is the output itself. */
export function resultOf(response: Json | undefined): Result {
  if (!isJsonObject(response)) return { status: 'ok', output: response ?? '' }
  const { error } = response
  if (error !== undefined && error !== null && error !== false) return failed(error as Json)
  const [only, ...more] = Object.keys(response)
  const isWrapped = more.length === 0 && (only === 'output' || only === 'result')
  return { status: 'ok', output: (isWrapped ? response[only] : response) as Json }
}

function failed(error: Json): Result {
  const said = isJsonObject(error) && typeof error.message === 'string' ? error.message : undefined
  return { status: 'error', output: error, error: typeof error === 'string' ? error : (said ?? JSON.stringify(error)) }
}

export function codeResultOf({ outcome, output }: CodeExecutionResult): Result {
  const printed = output ?? ''
  if (outcome === null || outcome === undefined || outcome === 'OUTCOME_OK') return { status: 'ok', output: printed }
  return { status: 'error', output: printed, error: printed === '' ? outcome : printed }
}
