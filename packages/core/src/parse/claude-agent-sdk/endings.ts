import type { EventOf, StreamEvent } from '../../events.ts'
import type { ResultLine } from './raw.ts'
import { endOf } from './result.ts'

/** How the run stands: a process may have many turns, each with its result. */
export interface Endings {
  /** The main agent, or whoever speaks to it, goes on after a result. */
  goOn(by: 'assistant' | 'user'): StreamEvent[]
  /** The program's own stream, which says how it ends; a stored session does not. */
  isLive(): void
  interrupt(): void
  /** The model's reason to stop, as far as a line says it. */
  stopFor(reason: string | null | undefined): void
  result(line: ResultLine): void
  /** Money spent by processes before this one: what a process says is its own total. */
  costBefore(cost: number | null | undefined): number
  end(isAsking: boolean, isWaiting: boolean): readonly EventOf<'run-end'>[]
}

export function createEndings(): Endings {
  let ending: EventOf<'run-end'> | undefined
  let last: 'assistant' | 'user' | undefined
  let isLive = false
  let isInterrupted = false
  let reason: string | undefined
  let spent = 0
  let earlier = 0

  return {
    goOn(by) {
      const failure = ending?.error
      ending = undefined
      last = by
      if (by === 'user') isInterrupted = false
      return failure === undefined ? [] : [{ type: 'error', ...failure }]
    },
    isLive() {
      isLive = true
    },
    interrupt() {
      isInterrupted = true
    },
    stopFor(given) {
      reason = given ?? undefined
    },
    result(line) {
      ending = endOf(line, isInterrupted)
      isLive = true
    },
    costBefore(cost) {
      if (typeof cost !== 'number') return earlier
      if (cost < spent) earlier += spent
      spent = cost
      return earlier
    },
    end(isAsking, isWaiting) {
      if (ending !== undefined) return [ending]
      if (isAsking) return [{ type: 'run-end', outcome: 'awaiting-input' }]
      if (isLive) return []
      if (isInterrupted) return [{ type: 'run-end', outcome: 'cancelled', reason: 'interrupted' }]
      if (last !== 'assistant' || isWaiting || reason === 'tool_use') return []
      return [{ type: 'run-end', outcome: 'success', ...(reason !== undefined && { reason }) }]
    },
  }
}
