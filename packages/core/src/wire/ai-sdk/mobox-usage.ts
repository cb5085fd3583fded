import type { UsageCounts } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { createUsageTotal, usedAfter } from '../../meaning/usage-total.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Response } from './response.ts'

export interface MoboxUsage {
  readonly rows: Pick<Rows, 'step-start' | 'step-end' | 'usage'>
  /** To be told of every event before its row. */
  before(event: StreamEvent): void
  /** Says what is held back of steps. */
  flush(): void
  learnSession(event: EventOf<'metadata'>): void
  finishMetadata(): JsonObject
  stepReason(): string | undefined
}

/**
 * Usage as this dialect's clients add it up: each `data-usage` of a step is an increment, so a step's counts are held
 * back until it ends; those of the run are marked as the total, and wait for the session that may follow them.
 */
export function createMoboxUsage({ emit }: Response): MoboxUsage {
  const usage = createUsageTotal()
  /** Counts of open steps by agent; the main agent is the empty string. */
  const steps = new Map<string, UsageCounts>()
  let reason: string | undefined
  let run: UsageCounts | undefined
  /** What the run has used by its own account, until the next event. */
  let unsaid: UsageCounts | undefined
  let sdkSessionId: string | undefined

  const say = (data: Fields) => emit(chunkOf('data-usage', { data: defined(data) }))

  function sayRun(): void {
    if (unsaid === undefined) return
    const counts = unsaid
    unsaid = undefined
    const isTotal = counts.inputTokens !== undefined || counts.outputTokens !== undefined ? true : undefined
    say({ ...fieldsOf(counts), isTotal, sdkSessionId, stopReason: reason })
  }

  function sayStep(agent: string, stopReason: string | undefined): void {
    const counts = steps.get(agent) ?? {}
    if (Object.keys(counts).length > 0) say({ ...fieldsOf(counts), stopReason })
    steps.delete(agent)
  }

  const rows: MoboxUsage['rows'] = {
    'step-start'({ agentId = '' }) {
      usage.nextStep(agentId)
      sayStep(agentId, undefined)
      steps.set(agentId, {})
    },
    'step-end'({ agentId = '', reason: stopReason }) {
      usage.nextStep(agentId)
      if (agentId === '') reason = stopReason
      sayStep(agentId, stopReason)
    },
    usage(event) {
      usage.add(event)
      const step = steps.get(event.agentId ?? '')
      if (event.scope === 'run') {
        run = usedAfter(run ?? {}, event)
        unsaid = event.mode === 'snapshot' ? event : run
      } else if (step === undefined) say(fieldsOf(event))
      else steps.set(event.agentId ?? '', usedAfter(step, event))
    },
  }

  return {
    rows,
    before({ type }) {
      if (type !== 'metadata') sayRun()
    },
    flush() {
      for (const agent of [...steps.keys()]) sayStep(agent, undefined)
    },
    learnSession({ metadata }) {
      const session = metadata.sessionId ?? metadata.session_id
      if (typeof session === 'string') sdkSessionId = session
      sayRun()
    },
    finishMetadata() {
      const total = usage.total()
      return total === undefined ? {} : { usage: defined({ ...total }) }
    },
    stepReason: () => reason,
  }
}

/** Our counts in this dialect's words. */
function fieldsOf(counts: UsageCounts): Fields {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = counts
  const { durationMs, turns, costUsd } = counts
  return {
    inputTokens,
    outputTokens,
    reasoningTokens,
    cacheReadTokens,
    cacheWriteTokens,
    durationMs,
    numTurns: turns,
    totalCostUSD: costUsd,
  }
}
