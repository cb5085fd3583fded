import type { ChatEvent } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { createContext, useContext } from 'react'
import { createToggles, type Toggles } from './toggles.ts'

/** The user's answer to an approval. */
export type ApprovalAnswer =
  | { readonly state: 'approved' | 'denied'; readonly message?: string }
  | { readonly state: 'answered'; readonly answer: Json }

/** What the host can do for the views. Without a function, its button is not drawn. */
export interface ViewActions {
  /** If it throws, or returns a promise that rejects, the buttons are enabled again. */
  readonly onAnswer?: (approvalId: string, answer: ApprovalAnswer) => unknown
  readonly onContinue?: (event: ChatEvent) => void
}

/** What all views below one chat event share. */
export interface ViewContext extends ViewActions {
  /** The chat event's id: the prefix of its toggles' keys. */
  readonly scope: string
  readonly toggles: Toggles
  /** Milliseconds, by the clock that stamped the entries. Only running counters use it. */
  readonly now: () => number
  /** The run has ended: whatever is still open stays open, and must not look live. */
  readonly isOver: boolean
}

const Context = createContext<ViewContext>({ scope: '', toggles: createToggles(), now: Date.now, isOver: false })

export const ViewContextProvider = Context.Provider

export function useViewContext(): ViewContext {
  return useContext(Context)
}
