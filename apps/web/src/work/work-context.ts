import type { RunInfo } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import {
  type Artifact,
  artifactsOf,
  type Call,
  type Command,
  callsOf,
  commandsOf,
  type FileState,
  filesOf,
  stepsOf,
  type Visit,
  visitsOf,
  type WorkStep,
} from '@millrace/core/work'
import { createContext, useContext } from 'react'
import type { Selection } from '../position/position-store.ts'
import { type Done, type Later, laterOf } from './later.ts'

/** What all panes draw from. */
export interface Work {
  readonly chatEvents: readonly ChatEvent[]
  readonly steps: readonly WorkStep[]
  readonly calls: readonly Call[]
  readonly files: readonly FileState[]
  readonly commands: readonly Command[]
  readonly artifacts: readonly Artifact[]
  readonly visits: readonly Visit[]
  /** What came later, if a moment in the past is shown. */
  readonly later?: Later
  readonly runs: readonly RunInfo[]
  readonly basePath: string
  /** Shows a piece that is not in the page of the chat. */
  readonly onReveal: (piece: Selection) => void
}

const Context = createContext<Work>(workOf([], [], '', () => undefined))

export const WorkProvider = Context.Provider

export function useWork(): Work {
  return useContext(Context)
}

/** Everything that the panes draw, from the chat events that are shown. */
export function workOf(
  chatEvents: readonly ChatEvent[],
  runs: readonly RunInfo[],
  basePath: string,
  onReveal: Work['onReveal'],
  present?: Done,
): Work {
  const files = filesOf(chatEvents)
  const [steps, commands] = [stepsOf(chatEvents), commandsOf(chatEvents)]
  return {
    chatEvents,
    ...(present !== undefined && { later: laterOf(present, { steps, commands, files }) }),
    steps,
    calls: callsOf(chatEvents),
    files,
    commands,
    artifacts: artifactsOf(chatEvents, files),
    visits: visitsOf(chatEvents),
    runs,
    basePath,
    onReveal,
  }
}
