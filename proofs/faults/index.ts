import { breaks } from './breaks.ts'
import { commands } from './commands.ts'
import { cuts } from './cuts.ts'
import { emptyLines } from './empty-lines.ts'
import type { Fault } from './fault.ts'
import { pingFloods, resumeFloods } from './floods.ts'
import { fullDisk } from './full-disk.ts'
import { giantBatches } from './giant-batches.ts'
import { hostile } from './hostile.ts'
import { hostilePatches } from './hostile-patches.ts'
import { kill } from './kill.ts'
import { load } from './load.ts'
import { many } from './many.ts'
import { restart } from './restart.ts'
import { resume } from './resume.ts'
import { stalled } from './stalled.ts'
import { startResets } from './start-resets.ts'

/** Every fault that is tried, in the order of the report. */
export const faults: readonly Fault[] = [
  kill,
  commands,
  restart,
  resume,
  cuts,
  breaks,
  stalled,
  many,
  load,
  hostile,
  startResets,
  pingFloods,
  resumeFloods,
  fullDisk,
  giantBatches,
  emptyLines,
  hostilePatches,
]
