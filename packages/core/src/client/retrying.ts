import { ApiError } from '../api/api-error.ts'
import { backoff } from './backoff.ts'
import type { Platform } from './platform.ts'

const MOST_ATTEMPTS = 6

/** Answers that a later attempt may change. Status 0: the request, or only its answer, was lost. */
const isTransient = (error: unknown) =>
  error instanceof ApiError && (error.status >= 500 || [0, 408, 425, 429].includes(error.status))

/** Calls until there is an answer. The call MUST be one that may be repeated. */
export async function retrying<Result>(
  { setTimer, random }: Pick<Platform, 'setTimer' | 'random'>,
  call: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isTransient(error)) throw error
    }
    await new Promise<void>((resolve) => {
      setTimer(backoff(attempt, random), resolve)
    })
  }
}
