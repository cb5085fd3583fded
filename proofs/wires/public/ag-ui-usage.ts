import { fold } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import type { PublicRun } from '@millrace/testkit/public-run'
import { pausesAt } from '@millrace/testkit/public-values'

type Fields = { readonly [field: string]: Json | undefined }

/** The names of our counts in the protocol, which has none for money, time and turns. */
const TOKENS = [
  ['inputTokens', 'inputTokens'],
  ['outputTokens', 'outputTokens'],
  ['reasoningTokens', 'reasoningTokens'],
  ['cacheReadTokens', 'cachedInputTokens'],
  ['cacheWriteTokens', 'cacheWriteInputTokens'],
] as const

/**
 * Each run reports what was counted since the last one, and a count cannot be negative: what was reported is not taken
 * back if a later total is less. So each count is the highest that there was at the end of a run.
 */
export function usageOf({ entries, snapshot }: PublicRun): object {
  const atPauses = pausesAt(entries).map(({ seq }) => fold(entries.filter((entry) => entry.seq <= seq)).usage)
  const counts = TOKENS.map(([ours, theirs]) => {
    const totals = [...atPauses, snapshot.usage].map((usage) => usage?.[ours] ?? 0)
    return [theirs, Math.max(...totals)] as const
  })
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** A client adds up the counts at the ends of all runs. */
export function readUsage(chunks: readonly Chunk[]): object {
  const reports = chunks.flatMap(({ usage }) => (usage ?? []) as readonly Fields[])
  const sums = TOKENS.map(
    ([, name]) => [name, reports.reduce((sum, report) => sum + Number(report[name] ?? 0), 0)] as const,
  )
  return Object.fromEntries(sums.filter(([, sum]) => sum > 0))
}
