import type { RunInfo } from '@millrace/core/client'
import type { UsageCounts } from '@millrace/core/events'
import type { ChatEvent } from '@millrace/core/fold'

interface UsageRow {
  readonly name: string
  readonly usage: UsageCounts
}

interface UsageTable {
  /** By model, those that used most first; what no call accounts for is last. */
  readonly rows: readonly UsageRow[]
  readonly total: UsageCounts
  /** How many calls of models are counted in the rows. */
  readonly calls: number
}

/** What the shown runs used, by model. Runs report their totals; which model used what is known of each call only. */
export function usageRows(runs: readonly RunInfo[], events: readonly ChatEvent[]): UsageTable {
  const total = sumOf(runs.flatMap(({ usage }) => usage ?? []))
  const byModel = new Map<string, UsageCounts[]>()
  let calls = 0
  for (const { model = 'Model not reported', usage, steps = [] } of events) {
    if (usage === undefined) continue
    calls += Math.max(1, steps.filter((step) => step.usage !== undefined).length)
    byModel.set(model, [...(byModel.get(model) ?? []), usage])
  }
  const named = [...byModel].map(([name, counts]) => ({ name, usage: sumOf(counts) }))
  const rows = named.sort((one, other) => weightOf(other.usage) - weightOf(one.usage))
  const rest = difference(total, sumOf(rows.map(({ usage }) => usage)))
  const isRest = Object.values(rest).some((count) => count > 0)
  return {
    rows: isRest
      ? [...rows, { name: rows.length === 0 ? 'Reported as a whole' : 'Besides these calls', usage: rest }]
      : rows,
    total,
    calls,
  }
}

const weightOf = ({ inputTokens = 0, outputTokens = 0 }: UsageCounts) => inputTokens + outputTokens

type Counts = { -readonly [Field in keyof UsageCounts]: number }

function sumOf(all: readonly UsageCounts[]): UsageCounts {
  const total: Counts = {}
  for (const [field, count] of all.flatMap(fieldsOf)) total[field] = (total[field] ?? 0) + count
  return total
}

/** What the whole has more than the parts. A cost differs in its last digits only. */
function difference(whole: UsageCounts, parts: UsageCounts): UsageCounts {
  const rest: Counts = {}
  for (const [field, count] of fieldsOf(whole)) {
    const more = count - (parts[field] ?? 0)
    if (more > (field === 'costUsd' ? 0.000_05 : 0)) rest[field] = more
  }
  return rest
}

const fieldsOf = (counts: UsageCounts) => Object.entries(counts) as [keyof UsageCounts, number][]

/** `$0.246`: three digits, because the rows of a table are compared. */
export const preciseCost = (dollars: number): string => `$${dollars.toFixed(3)}`
