import type { ChatEvent } from '@millrace/core/fold'
import { type Command, commandsOf, type FileState, filesOf, stepsOf, type WorkStep } from '@millrace/core/work'

/** What came after the moment that is shown: it is counted, and drawn pale where it has a size. */
export interface Later {
  readonly steps: readonly WorkStep[]
  readonly commands: number
  /** Files that had not been written by then. */
  readonly files: readonly FileState[]
}

interface Shown {
  readonly steps: readonly WorkStep[]
  readonly commands: readonly Command[]
  readonly files: readonly FileState[]
}

/** What the present has more than what is shown. */
export function laterOf(present: readonly ChatEvent[], shown: Shown): Later {
  const written = new Set(shown.files.flatMap(({ path, status }) => (status === 'read' ? [] : [path])))
  return {
    steps: stepsOf(present).slice(shown.steps.length),
    commands: Math.max(0, commandsOf(present).length - shown.commands.length),
    files: filesOf(present).filter(({ path, status }) => status !== 'read' && !written.has(path)),
  }
}
