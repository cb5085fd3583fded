import { isDeepStrictEqual } from 'node:util'
import type { Losses } from '@millrace/core/losses'
import { type Content, comparable, contentOf } from '@millrace/testkit/content'
import type { Recorded } from './recorded.ts'

/** The result of one recording in one client. */
export interface Trial {
  /** A column of the report. */
  readonly client: string
  /** Chunks that the client refused, and errors that are not the run's own. */
  readonly refusals: readonly string[]
  /** Differences between its content and the folded recording. */
  readonly differences: readonly string[]
  /** Requests that it sent by itself although the server ran every tool; absent if they were not counted. */
  readonly extraRequests?: number
  /** Answers that the trial had to send itself. */
  readonly byHand?: number
}

/** Empty if the client ended with the folded content, less what its wire declares as lost. */
export function differenceOf(actual: Content, { entries }: Recorded, losses: Losses): readonly string[] {
  const expected = contentOf(entries, losses)
  return unlike(comparable(actual, expected), expected, 'the recording')
}

/** Empty if both are the same. */
export function unlike(actual: unknown, expected: unknown, what: string): readonly string[] {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return []
  return [`unlike ${what}: ${shown(actual)} instead of ${shown(expected)}`]
}

/** Empty if the errors are exactly the run's own error, or none if the run has none. */
export function refusalsOf(errors: readonly string[], runError: string | undefined): readonly string[] {
  const expected = runError === undefined ? [] : [runError]
  return isDeepStrictEqual(errors, expected) ? [] : [`errors ${shown(errors)} instead of ${shown(expected)}`]
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The result; rejects if it takes too long. */
export async function within<Result>(milliseconds: number, result: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`No end within ${milliseconds} ms.`)), milliseconds)
  try {
    return await Promise.race([result, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The value after JSON: fields that are undefined are absent. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const shown = (value: unknown) => JSON.stringify(value).slice(0, 400)
