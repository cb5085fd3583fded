import type { UsageCounts } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { usageEvents } from '../kit/counts.ts'
import type { RawChatEvent } from './raw.ts'

/**
 * The usage of the run that an export becomes: of each run in it what the run reported of itself, else the sum of its messages.
 * Until a run reports something the sum of the messages, which the fold has anyway, is all.
 */
export function createRunUsage(): (chatEvent: RawChatEvent) => readonly EventOf<'usage'>[] {
  const counted = new Map<string, UsageCounts>()
  let hasReport = false
  return ({ runId = '', usage, runUsage }) => {
    hasReport ||= runUsage !== undefined
    if (runUsage !== undefined) counted.set(runId, runUsage)
    else if (usage !== undefined) counted.set(runId, sumOf([counted.get(runId) ?? {}, usage]))
    else return []
    return hasReport ? usageEvents(sumOf([...counted.values()]), { scope: 'run' }) : []
  }
}

function sumOf(all: readonly UsageCounts[]): UsageCounts {
  const sum: { [count: string]: number } = {}
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
  }
  return sum
}
