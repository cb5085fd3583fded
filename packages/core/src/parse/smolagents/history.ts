import type { Json } from '../../json.ts'

/**
 * Whether the next text of the model is a plan. Deltas do not mark it, but an agent that plans does so before its first
 * step and then at a fixed interval, and an agent that does not plan at first never does.
 */
export interface Planner {
  expected(): 'planning' | 'action' | 'unknown'
  planned(): void
  acted(stepNumber: number): void
}

export function createPlanner(): Planner {
  let hasPlanned = false
  let neverPlans = false
  let actionsSince = 0
  let interval: number | undefined

  return {
    expected() {
      if (neverPlans || (hasPlanned && actionsSince === 0)) return 'action'
      if (!hasPlanned || interval === undefined) return 'unknown'
      return actionsSince % interval === 0 ? 'planning' : 'action'
    },
    planned() {
      if (hasPlanned && actionsSince > 0) interval ??= actionsSince
      hasPlanned = true
      neverPlans = false
      actionsSince = 0
    },
    acted(stepNumber) {
      if (!hasPlanned && stepNumber === 1) neverPlans = true
      actionsSince++
    },
  }
}

/**
 * Returns the messages from the first one that differs from the previous step's input: each step repeats all messages
 * that the model had before.
 */
export function createNewMessages(): (messages: readonly Json[] | null | undefined) => Json | undefined {
  let lastTexts: readonly string[] = []
  return (messages) => {
    if (messages === null || messages === undefined) return undefined
    const texts = messages.map((message) => JSON.stringify(message))
    const first = texts.findIndex((text, index) => text !== lastTexts[index])
    lastTexts = texts
    return first === -1 ? undefined : messages.slice(first)
  }
}
