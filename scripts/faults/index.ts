import { breaks } from './breaks.ts'
import { cuts } from './cuts.ts'
import { emptyLines } from './empty-lines.ts'
import type { Fault } from './fault.ts'
import { hostile } from './hostile.ts'
import { hostilePatches } from './hostile-patches.ts'
import { kill } from './kill.ts'
import { many } from './many.ts'
import { resume } from './resume.ts'
import { stalled } from './stalled.ts'

/** Every fault that is tried, in the order of the report. */
export const faults: readonly Fault[] = [kill, resume, cuts, breaks, stalled, many, hostile, emptyLines, hostilePatches]
