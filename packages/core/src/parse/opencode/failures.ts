import { present } from '../../data/present.ts'
import type { RunError, ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import type { RawError } from './raw.ts'

export function errorOf(error: RawError | string | null | undefined): RunError {
  if (typeof error === 'string') return { message: error }
  const { name, message, data } = error ?? {}
  const code = data?.statusCode
  return {
    message: data?.message ?? message ?? name ?? 'An error occurred',
    ...present({ name, code: code === undefined || code === null ? undefined : String(code) }),
  }
}

/** An error that ends the run. A stop by the user is an error too, and ends the run as cancelled. */
export function failure(error: RawError | string | null | undefined): EventOf<'run-end'> {
  const runError = errorOf(error)
  if (runError.name === 'MessageAbortedError')
    return { type: 'run-end', outcome: 'cancelled', reason: runError.message }
  const {
    message: _,
    statusCode: _code,
    ...rest
  } = typeof error === 'object' ? ((error?.data ?? {}) as JsonObject) : {}
  const meta = Object.keys(rest).length === 0 ? {} : { meta: { opencode: rest } }
  return { type: 'run-end', outcome: 'error', error: runError, ...meta }
}

/** A call that was denied or stopped has an error too: only its text distinguishes it. */
export function statusOf(error: string): ToolStatus {
  if (/rejected permission|dismissed this question/i.test(error)) return 'denied'
  return /^(tool execution )?aborted/i.test(error) ? 'cancelled' : 'error'
}
