/**
 * Whether the next words of the model are a plan. Nothing in a delta says so; but an agent that plans does it before its
 * first step and then after every so many, and one that does not plan at first never does.
 */
export interface Planner {
  expected(): 'planning' | 'action' | 'unknown'
  planned(): void
  acted(stepNumber: number): void
  /** The run is over: the next one may be another agent's. */
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
