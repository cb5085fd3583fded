import type { UsageCounts } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { present } from '../../present.ts'
import { keep } from './meta.ts'
import type { RawUsage } from './raw.ts'

type Counts = Pick<UsageCounts, 'inputTokens' | 'outputTokens' | 'reasoningTokens' | 'cacheReadTokens'>

/** The usage of one response, which every chunk may tell as it stands. */
export interface Usage {
  read(raw: RawUsage): StreamEvent[]
  /** Another message of the same response begins: what was told so far stays with the one before. */
  nextMessage(): void
}

export function createUsage(): Usage {
  let told: Counts = {}
  let before: Counts = {}
  return {
    read(raw) {
      const { counts, rest } = countsOf(raw)
      if (isSame({ ...told, ...counts }, told)) return []
      told = { ...told, ...counts }
      return [{ type: 'usage', scope: 'step', mode: 'snapshot', ...less(told, before), ...keep(rest) }]
    },
    nextMessage() {
      before = told
    },
  }
}

/** Thoughts are output, and what tools added to the prompt is input: together they are Google's total. */
function countsOf(raw: RawUsage): { counts: Counts; rest: { readonly [field: string]: unknown } } {
  const {
    promptTokenCount,
    toolUsePromptTokenCount,
    candidatesTokenCount,
    thoughtsTokenCount: reasoningTokens,
    cachedContentTokenCount: cacheReadTokens,
    ...rest
  } = raw
  const counts = present({
    inputTokens: sum(promptTokenCount, toolUsePromptTokenCount),
    outputTokens: sum(candidatesTokenCount, reasoningTokens),
    reasoningTokens,
    cacheReadTokens,
  })
  return { counts, rest: { ...rest, toolUsePromptTokenCount } }
}

function sum(...counts: readonly (number | null | undefined)[]): number | undefined {
  const given = counts.filter((count) => typeof count === 'number')
  return given.length === 0 ? undefined : given.reduce((total, count) => total + count, 0)
}

function less(counts: Counts, before: Counts): Counts {
  const rest: { -readonly [Field in keyof Counts]: number } = {}
  for (const field of Object.keys(counts) as (keyof Counts)[]) rest[field] = (counts[field] ?? 0) - (before[field] ?? 0)
  return rest
}

function isSame(counts: Counts, others: Counts): boolean {
  return (Object.keys(counts) as (keyof Counts)[]).every((field) => counts[field] === others[field])
}
