import { isDeepStrictEqual } from 'node:util'
import type { Losses } from '@millrace/core/losses'
import { type Content, comparable, contentOf } from '@millrace/testkit/content'
import type { Recorded } from './recorded.ts'

/** What became of one recording in one client. */
export interface Trial {
  /** A column of the report. */
  readonly client: string
  /** What the client refused, and errors that are not the run's own. */
  readonly refusals: readonly string[]
  /** Where its content is not that of the folded recording. */
  readonly differences: readonly string[]
  /** Requests that it sent of its own accord, though nothing was left to it; nothing where that was not counted. */
  readonly extraRequests?: number
  /** Answers that it sent only because it was told to. */
  readonly byHand?: number
}

/** Nothing where the client ended with the folded content, less what its wire declares as lost. */
export function differenceOf(actual: Content, { entries }: Recorded, losses: Losses): readonly string[] {
  const expected = contentOf(entries, losses)
  return unlike(comparable(actual, expected), expected, 'the recording')
}

/** Nothing where both are the same. */
export function unlike(actual: unknown, expected: unknown, what: string): readonly string[] {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return []
  return [`unlike ${what}: ${shown(actual)} instead of ${shown(expected)}`]
}

/** The run's own word of its failure is no refusal; any other, or none where there should be one, is. */
export function refusalsOf(errors: readonly string[], own: string | undefined): readonly string[] {
  const expected = own === undefined ? [] : [own]
  return isDeepStrictEqual(errors, expected) ? [] : [`errors ${shown(errors)} instead of ${shown(expected)}`]
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The result, or a rejection once it has taken too long. */
export async function within<Result>(milliseconds: number, result: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`No end within ${milliseconds} ms.`)), milliseconds)
  try {
    return await Promise.race([result, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** As JSON tells it: what is undefined is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const shown = (value: unknown) => JSON.stringify(value).slice(0, 400)
