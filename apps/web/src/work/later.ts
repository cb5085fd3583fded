import type { ChatEvent } from '@millrace/core/fold'
import { type Command, commandsOf, type FileState, filesOf, stepsOf, type WorkStep } from '@millrace/core/work'

/** What came after the moment that is shown: it is counted, and drawn pale where it has a size. */
export interface Later {
  readonly steps: readonly WorkStep[]
  readonly commands: number
  /** Files that had not been written by then. */
  readonly files: readonly FileState[]
}

/** What a chat has done so far, as much as the past is compared with. */
export interface Done {
  readonly steps: readonly WorkStep[]
  readonly commands: readonly Command[]
  readonly files: readonly FileState[]
}

/** Found once for the present, whatever moments are shown before it. */
export const doneIn = (chatEvents: readonly ChatEvent[]): Done => ({
  steps: stepsOf(chatEvents),
  commands: commandsOf(chatEvents),
  files: filesOf(chatEvents),
})

/** What the present has more than what is shown. */
export function laterOf(present: Done, shown: Done): Later {
  const written = new Set(shown.files.flatMap(({ path, status }) => (status === 'read' ? [] : [path])))
  return {
    steps: present.steps.slice(shown.steps.length),
    commands: Math.max(0, present.commands.length - shown.commands.length),
    files: present.files.filter(({ path, status }) => status !== 'read' && !written.has(path)),
  }
}
