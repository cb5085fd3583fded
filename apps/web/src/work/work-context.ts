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

/** What all panes draw from. */
export interface Work {
  readonly chatEvents: readonly ChatEvent[]
  readonly steps: readonly WorkStep[]
  readonly calls: readonly Call[]
  readonly files: readonly FileState[]
  readonly commands: readonly Command[]
  readonly artifacts: readonly Artifact[]
  readonly visits: readonly Visit[]
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
): Work {
  const files = filesOf(chatEvents)
  return {
    chatEvents,
    steps: stepsOf(chatEvents),
    calls: callsOf(chatEvents),
    files,
    commands: commandsOf(chatEvents),
    artifacts: artifactsOf(chatEvents, files),
    visits: visitsOf(chatEvents),
    runs,
    basePath,
    onReveal,
  }
}
