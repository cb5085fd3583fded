/**
 * Whether the next text of the model is a plan. Deltas do not mark it, but an agent that plans does so before its first
 * step and then at a fixed interval, and an agent that does not plan at first never does.
 */
export interface Planner {
  expected(): 'planning' | 'action' | 'unknown'
  planned(): void
  acted(stepNumber: number): void
  /** The run has ended: the next one may be another agent's. */
  reset(): void
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
    reset() {
      hasPlanned = false
      neverPlans = false
      actionsSince = 0
      interval = undefined
    },
  }
}
