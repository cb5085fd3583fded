import { fifth } from './fifth.ts'
import { first } from './first.ts'
import { fourth } from './fourth.ts'
import type { SwitchProgram } from './program.ts'
import { second } from './second.ts'
import { third } from './third.ts'

/** One program for each of the systems that Millrace unites, in their order. */
export const programs: readonly SwitchProgram[] = [first, second, third, fourth, fifth]
