import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { RunError, ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'

export interface RawError {
  readonly name?: string
  readonly message?: string
  readonly data?: { readonly message?: string; readonly statusCode?: number } | null
}

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
function failureOf(error: RawError | string | null | undefined): EventOf<'run-end'> {
  const runError = errorOf(error)
  if (runError.name === 'MessageAbortedError')
    return { type: 'run-end', outcome: 'cancelled', reason: runError.message }
  const { message: _, statusCode: _code, ...rest } = (typeof error === 'object' && error?.data) || {}
  return { type: 'run-end', outcome: 'error', error: runError, ...keep('opencode', rest) }
}

/** A call that was denied or stopped has an error too: only its text distinguishes it. */
export function statusOf(error: string): ToolStatus {
  if (/rejected permission|dismissed this question/i.test(error)) return 'denied'
  return /^(tool execution )?aborted/i.test(error) ? 'cancelled' : 'error'
}

/** A step with one of these finish reasons is followed by another. */
const GOING_ON: ReadonlySet<string> = new Set(['tool-calls', 'tool_calls', 'tool_use'])

export type Ending = ReturnType<typeof createEnding>

/** How the run would end if the stream ended now. It depends on the main agent only. */
export function createEnding() {
  let state: 'none' | 'stopped' | 'failed' = 'none'
  let reason: string | undefined
  let failure: RunError | undefined
  /** A stream that ends while the agent waits has no other sign of it. */
  const openQuestions = new Set<string>()

  return {
    fail(out: Out, error: RawError | string | null | undefined, sentAt?: number): void {
      const end = failureOf(error)
      state = 'failed'
      failure = end.error
      out.push({ ...end, ...present({ sentAt }) })
    },
    /** A failure is not the end of the run if the main agent goes on. */
    resume(out: Out): void {
      if (failure !== undefined) out.push({ type: 'error', ...failure })
      failure = undefined
      state = 'none'
    },
    endStep(stepReason: string | undefined): void {
      reason = stepReason
      if (state !== 'failed') state = GOING_ON.has(stepReason ?? '') ? 'none' : 'stopped'
    },
    idle(): void {
      if (state !== 'failed') state = 'stopped'
    },
    ask: (approvalId: string) => rememberOne(openQuestions, approvalId),
    answer: (approvalId: string) => void openQuestions.delete(approvalId),
    events(): EventOf<'run-end'>[] {
      if (state === 'failed') return []
      if (openQuestions.size > 0) return [{ type: 'run-end', outcome: 'awaiting-input' }]
      return state === 'stopped' ? [{ type: 'run-end', outcome: 'success', ...present({ reason }) }] : []
    },
  }
}
