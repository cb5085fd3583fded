import { AgentFailure } from '@millrace/core/agent'

/** Why a model gave no answer. */
export class ModelFailure extends AgentFailure {
  constructor(code: FailureCode, message: string) {
    super(code, message)
  }
}

/**
 * `provider-refused`: the request, or the key, is not accepted; `provider-failed`: the provider has an error of its own, or is
 * too busy; `broken-off`: the answer began and did not end.
 */
export type FailureCode =
  | 'no-key'
  | 'provider-refused'
  | 'provider-failed'
  | 'provider-unreachable'
  | 'not-a-stream'
  | 'broken-off'
  | 'limit'

const MOST_WORDS = 1000

/** What the body of an error says, on one line, without the key: some providers repeat it. */
export function wordsOf(body: string, secrets: readonly string[]): string {
  const words = messageIn(body) ?? body
  const shown = secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '[key]')), words)
  const line = shown.replaceAll(/\s+/g, ' ').trim()
  return line.length <= MOST_WORDS ? line : `${line.slice(0, MOST_WORDS)}…`
}

type ErrorBody = { readonly error?: string | { readonly message?: string }; readonly message?: string } | null

/** Every one of the four vendors has `error.message`; Gemini sends a list. */
function messageIn(body: string): string | undefined {
  try {
    const read = JSON.parse(body) as ErrorBody | readonly ErrorBody[]
    const value = (Array.isArray(read) ? read[0] : read) as ErrorBody | undefined
    const error = value?.error
    const message = typeof error === 'string' ? error : (error?.message ?? value?.message)
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
