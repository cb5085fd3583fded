import type { StreamEvent } from '@millrace/core/events'
import { agentScenarios } from './scenarios/agents.ts'
import { blockScenarios } from './scenarios/blocks.ts'
import { callScenarios } from './scenarios/calls.ts'
import { otherScenarios } from './scenarios/others.ts'
import { pauseScenarios } from './scenarios/pauses.ts'

/** One thing that an agent does, and may do again. */
export interface Scenario {
  readonly name: string
  /**
   * The k-th time, k from 1: well-formed by itself between `run-start` and `run-end`, with the same number of events and
   * the same texts each time. Its ids, and nothing else, end with `-r` and k.
   */
  round(k: number): readonly StreamEvent[]
}

/** What a stateful member must do the second time as it did the first time. */
export const scenarios: readonly Scenario[] = [
  ...blockScenarios,
  ...callScenarios,
  ...pauseScenarios,
  ...agentScenarios,
  ...otherScenarios,
]

/** A run of these rounds, each in messages of its own. */
export function runOf(rounds: readonly (readonly StreamEvent[])[]): StreamEvent[] {
  return [{ type: 'run-start', model: 'model-1' }, ...rounds.flat(), { type: 'run-end', outcome: 'success' }]
}

/** The first `count` rounds of a scenario. */
export function roundsOf({ round }: Scenario, count: number): readonly (readonly StreamEvent[])[] {
  return Array.from({ length: count }, (_, index) => round(index + 1))
}

/**
 * The rounds in one message, for a scenario that begins and ends with its only message; undefined for others. The
 * events inside name no message, so only the first start and the last end are kept.
 */
export function inOneMessage(
  rounds: readonly (readonly StreamEvent[])[],
): readonly (readonly StreamEvent[])[] | undefined {
  const isOneMessage = rounds.every(
    (events) =>
      events[0]?.type === 'message-start' &&
      events.at(-1)?.type === 'message-end' &&
      events.slice(1, -1).every(({ type, messageId }) => messageId === undefined && !type.startsWith('message-')),
  )
  const [start, end] = [rounds[0]?.[0], rounds[0]?.at(-1)]
  if (!isOneMessage || start === undefined || end === undefined) return undefined
  return [[start], ...rounds.map((events) => events.slice(1, -1)), [end]]
}

/** A value in which the ids of the k-th round are those of the first. */
export function asFirstRound(value: unknown, k: number): unknown {
  return JSON.parse(JSON.stringify(value ?? null).replaceAll(`-r${k}`, '-r1'))
}
