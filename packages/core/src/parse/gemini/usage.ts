import { present } from '../../data/present.ts'
import type { UsageCounts } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { keep } from './meta.ts'
import type { RawUsage } from './raw.ts'

/** The usage of one response. Every chunk may hold the counts so far. */
export interface Usage {
  read(raw: RawUsage): StreamEvent[]
  /** Another message of the same response begins. The counts so far belong to the message before. */
  nextMessage(): void
}

export function createUsage(): Usage {
  let reported: Counts = {}
  let reportedBefore: Counts = {}
  return {
    read(raw) {
      const { counts, otherFields } = countsOf(raw)
      if (isSame({ ...reported, ...counts }, reported)) return []
      reported = { ...reported, ...counts }
      return [
        { type: 'usage', scope: 'step', mode: 'snapshot', ...less(reported, reportedBefore), ...keep(otherFields) },
      ]
    },
    nextMessage() {
      reportedBefore = reported
    },
  }
}

function countsOf(raw: RawUsage): { counts: Counts; otherFields: { readonly [field: string]: unknown } } {
  const {
    promptTokenCount: prompt,
    toolUsePromptTokenCount: tools,
    candidatesTokenCount: answer,
    thoughtsTokenCount: thoughts,
    cachedContentTokenCount: cached,
    ...otherFields
  } = raw
  const counts = countsIn({ prompt, tools, answer, thoughts, cached })
  return { counts, otherFields: { ...otherFields, toolUsePromptTokenCount: tools } }
}

function less(counts: Counts, before: Counts): Counts {
  const differences = (Object.entries(counts) as [keyof Counts, number][]).map(([field, count]) => [
    field,
    count - (before[field] ?? 0),
  ])
  return Object.fromEntries(differences)
}

function isSame(counts: Counts, others: Counts): boolean {
  return (Object.keys(counts) as (keyof Counts)[]).every((field) => counts[field] === others[field])
}

export type Counts = Pick<UsageCounts, 'inputTokens' | 'outputTokens' | 'reasoningTokens' | 'cacheReadTokens'>

type Count = number | null | undefined

/** The counts that Google separates, under names of our own. */
interface Parts {
  readonly prompt: Count
  readonly tools: Count
  readonly answer: Count
  readonly thoughts: Count
  readonly cached: Count
}

/** Thoughts are output, and tokens that tools added to the prompt are input. The sum is Google's total. */
export function countsIn({ prompt, tools, answer, thoughts, cached }: Parts): Counts {
  return present({
    inputTokens: sum(prompt, tools),
    outputTokens: sum(answer, thoughts),
    reasoningTokens: thoughts,
    cacheReadTokens: cached,
  })
}

function sum(...counts: readonly Count[]): number | undefined {
  const numbers = counts.filter((count) => typeof count === 'number')
  return numbers.length === 0 ? undefined : numbers.reduce((total, count) => total + count, 0)
}
