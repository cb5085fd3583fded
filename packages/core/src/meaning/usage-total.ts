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

/** The counts of one run or message: counts of steps add up, counts of the run replace them. */
export interface UsageTotal {
  add(event: EventOf<'usage'>): void
  /** The agent's next step begins: the counts of its last step are final. */
  nextStep(agentId: string | undefined): void
  /** Undefined if no usage was reported. */
  total(): UsageCounts | undefined
  /** The same counts, which go on apart from these. */
  fork(): UsageTotal
}

interface UsageState {
  readonly finished: Counts
  /** The counts of the current step of each agent; the main agent is the empty string. */
  readonly current: Map<string, UsageCounts>
  run: UsageCounts
}

export function createUsageTotal(): UsageTotal {
  return usageTotalOf({ finished: {}, current: new Map(), run: {} })
}

function usageTotalOf(state: UsageState): UsageTotal {
  const { finished, current } = state
  return {
    add(event) {
      const agent = event.agentId ?? ''
      if (event.scope === 'run') state.run = usedAfter(state.run, event)
      else current.set(agent, usedAfter(current.get(agent) ?? {}, event))
    },
    nextStep(agentId = '') {
      sum(finished, current.get(agentId) ?? {})
      current.delete(agentId)
    },
    total() {
      const total: Counts = { ...finished }
      for (const counts of current.values()) sum(total, counts)
      assign(total, state.run)
      return Object.keys(total).length > 0 ? total : undefined
    },
    fork: () => usageTotalOf({ finished: { ...finished }, current: new Map(current), run: state.run }),
  }
}

/** The counts of a step or run after a usage event: a snapshot replaces, an addition sums. */
export function usedAfter(before: UsageCounts, event: EventOf<'usage'>): UsageCounts {
  const counts: Counts = { ...before }
  if (event.mode === 'add') sum(counts, event)
  else assign(counts, event)
  return counts
}

/** The sum of two counts, field by field. */
export function addCounts(one: UsageCounts, other: UsageCounts): UsageCounts {
  const counts: Counts = { ...one }
  sum(counts, other)
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
