import type { UsageCounts } from '../event-fields.ts'
import type { EventOf } from '../events.ts'

type Counts = { -readonly [Field in keyof UsageCounts]: number }

const FIELDS = [
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'costUsd',
  'durationMs',
  'turns',
] as const satisfies readonly (keyof UsageCounts)[]

/** Counts of one run or message: what steps say adds up, what the run says replaces it. */
export interface UsageTotal {
  add(event: EventOf<'usage'>): void
  /** The agent's next step begins: what its last one said is final. */
  nextStep(agentId: string | undefined): void
  /** Nothing where nothing was said. */
  total(): UsageCounts | undefined
}

export function createUsageTotal(): UsageTotal {
  const finished: Counts = {}
  /** The steps under way by agent; the main agent is the empty string. */
  const current = new Map<string, UsageCounts>()
  let run: UsageCounts = {}

  return {
    add(event) {
      const agent = event.agentId ?? ''
      if (event.scope === 'run') run = usedAfter(run, event)
      else current.set(agent, usedAfter(current.get(agent) ?? {}, event))
    },
    nextStep(agentId = '') {
      sum(finished, current.get(agentId) ?? {})
      current.delete(agentId)
    },
    total() {
      const total: Counts = { ...finished }
      for (const counts of current.values()) sum(total, counts)
      assign(total, run)
      return Object.keys(total).length > 0 ? total : undefined
    },
  }
}

/** What a step or run has used once it says more: a snapshot replaces, an addition sums. */
export function usedAfter(before: UsageCounts, event: EventOf<'usage'>): UsageCounts {
  const counts: Counts = { ...before }
  if (event.mode === 'add') sum(counts, event)
  else assign(counts, event)
  return counts
}

function sum(into: Counts, from: UsageCounts): void {
  for (const field of FIELDS) {
    const count = from[field]
    if (count !== undefined) into[field] = (into[field] ?? 0) + count
  }
}

function assign(into: Counts, from: UsageCounts): void {
  for (const field of FIELDS) {
    const count = from[field]
    if (count !== undefined) into[field] = count
  }
}
