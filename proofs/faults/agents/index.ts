import type { Fault } from '../fault.ts'
import { processAbuse } from './abuse.ts'
import { serverDies } from './server-dies.ts'
import { stopRaces } from './stop-races.ts'

/** The faults of programs that are agents, in the order of the report. */
export const agentFaults: readonly Fault[] = [processAbuse, stopRaces, serverDies]
