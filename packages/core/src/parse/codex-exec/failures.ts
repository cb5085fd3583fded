import { present } from '../../data/present.ts'
import type { RunError } from '../../event-fields.ts'
import { parseJson } from '../../json.ts'

/** What a failure says. The provider's own answer is passed on as JSON text: its sentence is what a person reads. */
export function errorOf(said: string | null | undefined): RunError {
  const message = said || 'The turn failed'
  if (!message.startsWith('{')) return { message }
  try {
    const { error } = parseJson(message) as { readonly error?: { readonly message?: string; readonly type?: string } }
    if (typeof error?.message !== 'string' || error.message === '') return { message }
    return { message: error.message, ...present({ code: typeof error.type === 'string' ? error.type : undefined }) }
  } catch {
    return { message }
  }
}

/** Codex says that it tries again by the means by which it says that it failed. */
export function isRetry(message: string): boolean {
  return /^(re-?connecting|stream (error|disconnected).*retrying)/i.test(message)
}
