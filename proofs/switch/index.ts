import { first } from './first.ts'
import type { SwitchProgram } from './program.ts'

/** One program for each of the systems that Millrace unites, in their order. */
export const programs: readonly SwitchProgram[] = [first]
