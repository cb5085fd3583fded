/** Runs for a wire: recorded, made up, generated. */
export type { Run } from '../fold-laws.ts'
export { balanced, entriesOf, generatedRuns, recordedRun, runPasses, waitingRun } from '../runs.ts'
export { repeatedRuns } from '../wire-scenarios.ts'
