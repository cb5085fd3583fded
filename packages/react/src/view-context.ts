import type { ChatEvent } from '@millrace/core/fold/shapes'
import type { Json } from '@millrace/core/json'
import { createContext, useContext } from 'react'
import { createToggles, type Toggles } from './toggles.ts'

/** What a person says to an approval. */
export type ApprovalAnswer =
  | { readonly state: 'approved' | 'denied'; readonly message?: string }
  | { readonly state: 'answered'; readonly answer: Json }

/** What the host can do for the views. Where a function is left out, its button is not drawn. */
export interface ViewActions {
  /** A promise that rejects gives the buttons back. */
  readonly onAnswer?: (approvalId: string, answer: ApprovalAnswer) => unknown
  readonly onContinue?: (event: ChatEvent) => void
}

/** What all views below one chat event share. */
export interface ViewContext extends ViewActions {
  /** The chat event's id: tells its toggles from those of others. */
  readonly scope: string
  readonly toggles: Toggles
  /** Milliseconds, by the clock that stamped the entries. Only running counters ask for it. */
  readonly now: () => number
  /** The run has ended: whatever is still open will stay so, and must not look alive. */
  readonly isOver: boolean
}

const Context = createContext<ViewContext>({ scope: '', toggles: createToggles(), now: Date.now, isOver: false })

export const ViewContextProvider = Context.Provider

export function useViewContext(): ViewContext {
  return useContext(Context)
}
