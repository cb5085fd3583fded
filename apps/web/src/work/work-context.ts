import type { RunInfo } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import type { Call, WorkStep } from '@millrace/core/work'
import { createContext, useContext } from 'react'

/** What all panes draw from. */
export interface Work {
  readonly chatEvents: readonly ChatEvent[]
  readonly steps: readonly WorkStep[]
  readonly calls: readonly Call[]
  readonly runs: readonly RunInfo[]
  readonly basePath: string
}

const Context = createContext<Work>({ chatEvents: [], steps: [], calls: [], runs: [], basePath: '' })

export const WorkProvider = Context.Provider

export function useWork(): Work {
  return useContext(Context)
}
