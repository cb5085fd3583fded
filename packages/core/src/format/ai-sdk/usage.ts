import type { UsageCounts } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'

type Counts = { -readonly [Field in keyof UsageCounts]?: number }

const fields = [
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'costUsd',
  'durationMs',
  'turns',
] as const satisfies readonly (keyof UsageCounts)[]

/** The counts of an event, and nothing else of it. */
export function countsOf(event: UsageCounts): Counts {
  const counts: Counts = {}
  for (const field of fields) if (event[field] !== undefined) counts[field] = event[field]
  return counts
}

/** What a step or run has used once it says more: a snapshot replaces, an addition sums. */
export function used(before: UsageCounts, event: EventOf<'usage'>): Counts {
  return event.mode === 'add' ? sum(before, event) : { ...before, ...countsOf(event) }
}

/** What a run has used: what it says of itself, else the sum of its steps. */
export interface Usage {
  push(event: EventOf<'usage'>): void
  /** What an agent's step has said counts; what comes next is another step's. */
  turnStep(agentId: string | undefined): void
  total(): UsageCounts
}

export function createUsage(): Usage {
  let finished: Counts = {}
  let run: Counts = {}
  const current = new Map<string, Counts>()
  return {
    push(event) {
      const agent = event.agentId ?? ''
      if (event.scope === 'run') run = used(run, event)
      else current.set(agent, used(current.get(agent) ?? {}, event))
    },
    turnStep(agentId = '') {
      finished = sum(finished, current.get(agentId) ?? {})
      current.delete(agentId)
    },
    total() {
      let steps = finished
      for (const counts of current.values()) steps = sum(steps, counts)
      return { ...steps, ...run }
    },
  }
}

function sum(one: UsageCounts, other: UsageCounts): Counts {
  const counts = countsOf(one)
  for (const field of fields) {
    const more = other[field]
    if (more !== undefined) counts[field] = (counts[field] ?? 0) + more
  }
  return counts
}
