import type { EventOf, StreamEvent } from '@millrace/core/events'

type Counts = { readonly [name: string]: number }

const NAMES = [
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'costUsd',
  'durationMs',
  'turns',
] as const

/** The counts of a run: for each count the run's own, if it was ever reported, else the sum over the steps of agents. */
export function modelUsage(events: readonly StreamEvent[]): Counts | undefined {
  const agents = new Set(events.map(({ agentId }) => agentId))
  const steps = [...agents].flatMap((agentId) => stepsOf(events.filter((event) => event.agentId === agentId)))
  const ofRun = events.filter((event): event is EventOf<'usage'> => event.type === 'usage' && event.scope === 'run')
  const counts = NAMES.flatMap((name) => {
    const own = countOf(ofRun, name)
    const ofSteps = steps.map((step) => countOf(step, name)).filter((count) => count !== undefined)
    const sum = ofSteps.length === 0 ? undefined : ofSteps.reduce((total, count) => total + count, 0)
    const count = own ?? sum
    return count === undefined ? [] : [[name, count] as const]
  })
  return counts.length === 0 ? undefined : Object.fromEntries(counts)
}

/** The usages of each step of one agent: a step or a message begins a new one. */
function stepsOf(events: readonly StreamEvent[]): readonly (readonly EventOf<'usage'>[])[] {
  const steps: EventOf<'usage'>[][] = [[]]
  for (const event of events) {
    if (event.type === 'step-start' || event.type === 'message-start') steps.push([])
    if (event.type === 'usage' && event.scope === 'step') steps.at(-1)?.push(event)
  }
  return steps
}

/** A count after these usages: since the last snapshot of it, everything adds up. */
function countOf(usages: readonly EventOf<'usage'>[], name: (typeof NAMES)[number]): number | undefined {
  const reported = usages.filter((usage) => usage[name] !== undefined)
  const since = reported.slice(
    Math.max(
      0,
      reported.findLastIndex(({ mode }) => mode === 'snapshot'),
    ),
  )
  return since.length === 0 ? undefined : since.reduce((sum, usage) => sum + (usage[name] ?? 0), 0)
}
