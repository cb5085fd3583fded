import type { UsageCounts } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { createUsageTotal, usedAfter } from '../../meaning/usage-total.ts'
import { chunkOf, defined, type Fields } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { Response } from './response.ts'

export interface MoboxUsage {
  readonly rows: Pick<Rows, 'step-start' | 'step-end' | 'usage'>
  /** MUST be called with every event before its row. */
  before(event: StreamEvent): void
  /** Emits the counts of open steps. */
  flush(): void
  learnSession(event: EventOf<'metadata'>): void
  finishMetadata(): JsonObject
  stepReason(): string | undefined
}

/**
 * Usage for clients that add it up: each `data-usage` of a step is an increment, so a step's counts are held back until
 * it ends. The counts of the run are marked as the total, and wait for the session id that may follow them.
 */
export function createMoboxUsage({ emit }: Response): MoboxUsage {
  const usage = createUsageTotal()
  /** The counts of the open steps by agent. The main agent is the empty string. */
  const steps = new Map<string, UsageCounts>()
  let reason: string | undefined
  let run: UsageCounts | undefined
  /** The counts that the run reports for itself, held back until the next event. */
  let pendingRun: UsageCounts | undefined
  let sdkSessionId: string | undefined

  const emitUsage = (data: Fields) => emit(chunkOf('data-usage', { data: defined(data) }))

  function emitRun(): void {
    if (pendingRun === undefined) return
    const counts = pendingRun
    pendingRun = undefined
    const isTotal = counts.inputTokens !== undefined || counts.outputTokens !== undefined ? true : undefined
    emitUsage({ ...fieldsOf(counts), isTotal, sdkSessionId, stopReason: reason })
  }

  function emitStep(agent: string, stopReason: string | undefined): void {
    const counts = steps.get(agent) ?? {}
    if (Object.keys(counts).length > 0) emitUsage({ ...fieldsOf(counts), stopReason })
    steps.delete(agent)
  }

  const rows: MoboxUsage['rows'] = {
    'step-start'({ agentId = '' }) {
      usage.nextStep(agentId)
      emitStep(agentId, undefined)
      steps.set(agentId, {})
    },
    'step-end'({ agentId = '', reason: stopReason }) {
      usage.nextStep(agentId)
      if (agentId === '') reason = stopReason
      emitStep(agentId, stopReason)
    },
    usage(event) {
      usage.add(event)
      const step = steps.get(event.agentId ?? '')
      if (event.scope === 'run') {
        run = usedAfter(run ?? {}, event)
        pendingRun = event.mode === 'snapshot' ? event : run
      } else if (step === undefined) emitUsage(fieldsOf(event))
      else steps.set(event.agentId ?? '', usedAfter(step, event))
    },
  }

  return {
    rows,
    before({ type }) {
      if (type !== 'metadata') emitRun()
    },
    flush() {
      for (const agent of [...steps.keys()]) emitStep(agent, undefined)
    },
    learnSession({ metadata }) {
      const session = metadata.sessionId ?? metadata.session_id
      if (typeof session === 'string') sdkSessionId = session
      emitRun()
    },
    finishMetadata() {
      const total = usage.total()
      return total === undefined ? {} : { usage: defined({ ...total }) }
    },
    stepReason: () => reason,
  }
}

/** Our counts under this profile's names. */
function fieldsOf(counts: UsageCounts): Fields {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = counts
  const { durationMs, turns: numTurns, costUsd } = counts
  return {
    inputTokens,
    outputTokens,
    reasoningTokens,
    cacheReadTokens,
    cacheWriteTokens,
    durationMs,
    numTurns,
    totalCostUSD: costUsd,
  }
}
