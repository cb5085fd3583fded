import type { ChatEvent } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { createContext, useContext, useMemo, useState } from 'react'
import type { Components } from './components.ts'
import { englishLabels, type Labels, labelsWith } from './labels.ts'
import { createToggles, type Toggles } from './toggles.ts'

/** The user's answer to an approval. */
export type ApprovalAnswer =
  | {
      readonly state: 'approved'
      readonly message?: string
      /** Calls like this one are approved until the agent's session ends. */
      readonly remember?: 'session'
      /** The input that is approved in place of the call's own. */
      readonly input?: Json
    }
  | { readonly state: 'denied'; readonly message?: string }
  | { readonly state: 'answered'; readonly answer: Json }

/** What the host passes on besides yes and no. Only that is offered: an answer that is cut short would be another one. */
export interface AnswerOptions {
  /** Words to the agent with a refusal. */
  readonly canSay?: boolean
  /** A changed input with an approval. */
  readonly canEdit?: boolean
  /** An approval for the agent's session, where the agent offers it. */
  readonly canRemember?: boolean
}

/** What the host can do for the views. Without a function, its button is not drawn. */
export interface ViewActions {
  /** If it throws, or returns a promise that rejects, the buttons are enabled again. */
  readonly onAnswer?: (approvalId: string, answer: ApprovalAnswer) => unknown
  readonly answerOptions?: AnswerOptions
  readonly onContinue?: (event: ChatEvent) => void
}

/** The host's texts and components. A view without them has those of the view around it. */
export interface ViewSettings {
  /** Texts that replace the English ones. */
  readonly labels?: Partial<Labels>
  readonly components?: Components
}

/** What all views below one message or thread share. */
export interface ViewContext extends ViewActions {
  /** The id of the run whose piece is drawn: the prefix of the keys of toggles, which are its entries. */
  readonly scope: string
  readonly toggles: Toggles
  /** Milliseconds, by the clock that stamped the entries. Only running counters use it. */
  readonly now: () => number
  /** Calls the listener when `now` has jumped. */
  readonly onJump?: (listener: () => void) => () => void
  /** The run has ended: whatever is still open stays open, and must not look live. */
  readonly isOver: boolean
  readonly labels: Labels
  readonly components: Components
  /** Where the server is mounted, such as `/agents`; empty at the root. Chat events name files relative to it. */
  readonly basePath: string
}

const Context = createContext<ViewContext>({
  scope: '',
  toggles: createToggles(),
  now: Date.now,
  isOver: false,
  labels: englishLabels,
  components: {},
  basePath: '',
})

export const ViewContextProvider = Context.Provider

export function useViewContext(): ViewContext {
  return useContext(Context)
}

/** The context around a view with the view's own settings. The same object until one of them changes. */
export function useContextWith({ labels, components }: ViewSettings): ViewContext {
  const outer = useViewContext()
  const keptLabels = useKept(labels)
  const keptComponents = useKept(components)
  return useMemo(
    () =>
      keptLabels === undefined && keptComponents === undefined
        ? outer
        : {
            ...outer,
            ...(keptLabels !== undefined && { labels: labelsWith(keptLabels) }),
            ...(keptComponents !== undefined && { components: keptComponents }),
          },
    [outer, keptLabels, keptComponents],
  )
}

/** The first of several equal objects: a table that is written where it is passed draws nothing again. */
function useKept<Value extends object | undefined>(value: Value): Value {
  const [kept, setKept] = useState(value)
  if (areEqual(kept, value, 2)) return kept
  setKept(value)
  return value
}

function areEqual(one: unknown, other: unknown, depth: number): boolean {
  if (Object.is(one, other)) return true
  if (depth === 0 || !isTable(one) || !isTable(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && areEqual(one[key], other[key], depth - 1))
  )
}

function isTable(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}
