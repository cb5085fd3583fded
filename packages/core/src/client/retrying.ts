import { ApiError } from '../api/api-error.ts'
import type { Platform } from './platform.ts'

const FIRST_WAIT = 500

/** The longest wait between two attempts, and how long a connection must last to count as good, in ms. */
export const LONGEST_WAIT = 10_000

/** The duration of the n-th wait in ms, n from 1: twice as long each time, with jitter. */
export function backoff(wait: number, random: () => number): number {
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(wait - 1, 16))
  return Math.round(most * (0.5 + random() / 2))
}

const MOST_ATTEMPTS = 6

/** Whether a later attempt may succeed. Status 0: the request, or only its response, was lost. */
const isTransient = (error: unknown) =>
  error instanceof ApiError && (error.status >= 500 || [0, 408, 425, 429].includes(error.status))

/**
 * Repeats a call until it succeeds, a retry is useless or its result is no longer wanted, at most `MOST_ATTEMPTS` times. It
 * MUST be safe to repeat.
 */
export async function retrying<Result>(
  { setTimer, random }: Pick<Platform, 'setTimer' | 'random'>,
  call: () => Promise<Result>,
  isWanted: () => boolean = () => true,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    let failure: unknown
    try {
      return await call()
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isTransient(error)) throw error
      failure = error
    }
    await new Promise<void>((resolve) => {
      setTimer(backoff(attempt, random), resolve)
    })
    if (!isWanted()) throw failure
  }
}
