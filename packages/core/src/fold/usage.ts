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
  total(): UsageCounts | undefined
}

export function createUsageTotal(): UsageTotal {
  const finished: Counts = {}
  const current = new Map<string, Counts>()
  const run: Counts = {}

  function nextStep(agentId: string | undefined): void {
    const counts = current.get(agentId ?? '')
    if (counts !== undefined) sum(finished, counts)
    current.delete(agentId ?? '')
  }

  return {
    add(event) {
      if (event.scope === 'run') {
        if (event.mode === 'add') sum(run, event)
        else assign(run, event)
        return
      }
      const agent = event.agentId ?? ''
      const counts = current.get(agent) ?? {}
      current.set(agent, counts)
      if (event.mode === 'add') sum(counts, event)
      else assign(counts, event)
    },
    nextStep,
    total() {
      const total: Counts = { ...finished }
      for (const counts of current.values()) sum(total, counts)
      assign(total, run)
      return FIELDS.some((field) => total[field] !== undefined) ? total : undefined
    },
  }
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
