import { present } from '../../data/present.ts'
import type { UsageCounts } from '../../event-fields.ts'

export type Counts = Pick<UsageCounts, 'inputTokens' | 'outputTokens' | 'reasoningTokens' | 'cacheReadTokens'>

type Count = number | null | undefined

/** What Google counts apart, under whichever names. */
interface Parts {
  readonly prompt: Count
  readonly tools: Count
  readonly answer: Count
  readonly thoughts: Count
  readonly cached: Count
}

/** Thoughts are output, and what tools added to the prompt is input: together they are Google's total. */
export function countsIn({ prompt, tools, answer, thoughts, cached }: Parts): Counts {
  return present({
    inputTokens: sum(prompt, tools),
    outputTokens: sum(answer, thoughts),
    reasoningTokens: thoughts,
    cacheReadTokens: cached,
  })
}

function sum(...counts: readonly Count[]): number | undefined {
  const given = counts.filter((count) => typeof count === 'number')
  return given.length === 0 ? undefined : given.reduce((total, count) => total + count, 0)
}
