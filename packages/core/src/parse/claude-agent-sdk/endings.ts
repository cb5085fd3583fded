import type { EventOf, StreamEvent } from '../../events.ts'
import type { ResultLine } from './raw.ts'
import { endOf } from './result.ts'

/** Tracks how the run ends. A process may have many turns, each with its result. */
export interface Endings {
  /** The main agent or the user continues after a result. */
  resume(by: 'assistant' | 'user'): StreamEvent[]
  /** The lines are a live stream, which reports its end. A stored session does not. */
  markLive(): void
  interrupt(): void
  /** The model's reason to stop, if a line has one. */
  stopFor(reason: string | null | undefined): void
  result(line: ResultLine): void
  /** The cost of earlier processes in US dollars, because a process reports only its own total. */
  costBefore(cost: number | null | undefined): number
  end(isAsking: boolean, isWaiting: boolean): readonly EventOf<'run-end'>[]
}

export function createEndings(): Endings {
  let ending: EventOf<'run-end'> | undefined
  let lastSpeaker: 'assistant' | 'user' | undefined
  let isLive = false
  let isInterrupted = false
  let reason: string | undefined
  let processCost = 0
  let earlierCost = 0

  return {
    resume(by) {
      const failure = ending?.error
      ending = undefined
      lastSpeaker = by
      if (by === 'user') isInterrupted = false
      return failure === undefined ? [] : [{ type: 'error', ...failure }]
    },
    markLive() {
      isLive = true
    },
    interrupt() {
      isInterrupted = true
    },
    stopFor(stopReason) {
      reason = stopReason ?? undefined
    },
    result(line) {
      ending = endOf(line, isInterrupted)
      isLive = true
    },
    costBefore(cost) {
      if (typeof cost !== 'number') return earlierCost
      if (cost < processCost) earlierCost += processCost
      processCost = cost
      return earlierCost
    },
    end(isAsking, isWaiting) {
      if (ending !== undefined) return [ending]
      if (isAsking) return [{ type: 'run-end', outcome: 'awaiting-input' }]
      if (isLive) return []
      if (isInterrupted) return [{ type: 'run-end', outcome: 'cancelled', reason: 'interrupted' }]
      if (lastSpeaker !== 'assistant' || isWaiting || reason === 'tool_use') return []
      return [{ type: 'run-end', outcome: 'success', ...(reason !== undefined && { reason }) }]
    },
  }
}
