import { storedFileId } from '@millrace/core/api'
import type { ThreadStore, ThreadStoreSnapshot } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import type { Draft, Turn } from '@millrace/react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'
import { focusMain } from '../focus.ts'
import { useCommands } from '../keys/keys-context.tsx'
import type { ThreadRoute } from '../position/thread-route.ts'
import { AttemptPicker } from './attempt-picker.tsx'
import { type AttemptSources, attemptsAt, lastFork, textOf } from './attempts.ts'
import { MessageActions, TurnActions } from './turn-actions.tsx'
import type { ThreadActions } from './use-thread-actions.ts'

/** A message that is written anew: what is sent begins another attempt beside its run. */
export interface Editing extends Draft {
  readonly runId: string
  /** What the other attempt continues. */
  readonly after: string | null
}

interface Branches {
  readonly editing: Editing | undefined
  readonly endEditing: () => void
  /** Another branch has been chosen a moment ago: what it shows is not news. */
  readonly isSwitching: boolean
  /** The picker of the last answer that has several attempts. */
  readonly picker: ReactNode
  /** The address of an entry. */
  readonly linkTo: (runId: string, seq: number) => string
  readonly renderActions: (event: ChatEvent) => ReactNode
  readonly renderTurnActions: (turn: Turn) => ReactNode
}

const SETTLED_MS = 200

/** Attempts at an answer: made by regenerating it or by editing its question, and chosen from. */
export function useBranches(
  store: ThreadStore,
  view: ThreadStoreSnapshot,
  link: ThreadRoute,
  { attempt, fail }: Pick<ThreadActions, 'attempt' | 'fail'>,
): Branches {
  const { agents = [], router } = useApp()
  const { thread, path, state } = view
  const { id: threadId, runs } = thread
  const [editing, setEditing] = useState<Editing>()
  const [isSwitching, setIsSwitching] = useState(false)
  useEffect(() => {
    if (!isSwitching) return
    const timer = setTimeout(() => setIsSwitching(false), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [isSwitching])
  useFollowedBranch(store, view, link)
  const isBusy = state === 'sending' || state === 'running'
  const endEditing = useCallback(() => setEditing(undefined), [])
  const sources: AttemptSources = useMemo(
    () => ({
      runs,
      path,
      eventsOf: store.eventsOf,
      agentTitle: (name) => agents.find((agent) => agent.name === name)?.title,
    }),
    [runs, path, store, agents],
  )
  const show = useCallback(
    (runId: string) => {
      setIsSwitching(true)
      store.show(runId)
    },
    [store],
  )
  const linkTo = useCallback(
    (runId: string, seq: number) =>
      new URL(router.hrefOf({ name: 'thread', threadId, runId, seq }), location.href).href,
    [router, threadId],
  )
  /** Only a run of an agent that can run now can be tried again. */
  const canRepeat = useCallback(
    (runId: string) => {
      const agent = agents.find(({ name }) => name === runs.find(({ id }) => id === runId)?.agent)
      return !isBusy && agent !== undefined && agent.unavailable === undefined
    },
    [agents, runs, isBusy],
  )
  const regenerate = useCallback(
    (runId: string) => {
      const run = runs.find(({ id }) => id === runId)
      const question = store.eventsOf(runId).find(isQuestion)
      if (run?.agent === undefined) return
      focusMain()
      attempt(run.agent, draftOf(question), run.afterRunId ?? null).catch(fail)
    },
    [runs, store, attempt, fail],
  )
  const pickerAt = useCallback(
    (runId: string, command?: 'attempts') => {
      const attempts = attemptsAt(runId, sources)
      const again = canRepeat(runId) ? () => regenerate(runId) : undefined
      if (attempts.length === 0) return undefined
      return <AttemptPicker attempts={attempts} onShow={show} onRegenerate={again} command={command} />
    },
    [sources, show, canRepeat, regenerate],
  )
  const edit = useCallback(
    (event: ChatEvent) => {
      const run = runs.find(({ id }) => id === event.runId)
      setEditing({ runId: event.runId, after: run?.afterRunId ?? null, ...draftOf(event) })
    },
    [runs],
  )
  const renderActions = useCallback(
    (event: ChatEvent) => {
      const isFirst = store.eventsOf(event.runId).find(isQuestion)?.id === event.id
      const onEdit = isFirst && event.by === 'server' && canRepeat(event.runId) ? edit : undefined
      return <MessageActions event={event} linkTo={linkTo} onEdit={onEdit} />
    },
    [store, canRepeat, edit, linkTo],
  )
  const renderTurnActions = useCallback(
    (turn: Turn) => {
      const runId = turn.events[0]?.runId ?? ''
      const isWhole = !turn.continuesRun && !turn.runGoesOn && canRepeat(runId)
      return (
        <TurnActions
          turn={turn}
          linkTo={linkTo}
          onRegenerate={isWhole ? regenerate : undefined}
          attempts={turn.continuesRun ? undefined : pickerAt(runId)}
        />
      )
    },
    [canRepeat, linkTo, regenerate, pickerAt],
  )
  const fork = lastFork(sources)
  const picker = fork === undefined ? undefined : pickerAt(fork, 'attempts')
  const last = path.at(-1)?.id
  const question = last === undefined ? undefined : store.eventsOf(last).find(isQuestion)
  const isRepeatable = last !== undefined && canRepeat(last)
  useCommands({
    regenerate: isRepeatable ? () => regenerate(last) : undefined,
    edit: isRepeatable && question !== undefined ? () => edit(question) : undefined,
  })
  return { editing, endEditing, isSwitching, picker, linkTo, renderActions, renderTurnActions }
}

/** A link to a run of another branch shows that branch, once: afterwards another one may be chosen. */
function useFollowedBranch(store: ThreadStore, { thread, path }: ThreadStoreSnapshot, link: ThreadRoute): void {
  const followed = useRef<ThreadRoute>(undefined)
  useEffect(() => {
    const { runId } = link
    if (followed.current === link || !thread.runs.some(({ id }) => id === runId)) return
    followed.current = link
    if (path.every(({ id }) => id !== runId)) store.show(runId)
  }, [store, thread, path, link])
}

const isQuestion = ({ role }: ChatEvent) => role === 'user'

/** A question as it was sent. */
function draftOf(question: ChatEvent | undefined): Draft {
  const segments = question?.segments ?? []
  const files = segments.flatMap((segment) => {
    const id = segment.type === 'file' ? storedFileId(segment.url) : undefined
    if (segment.type !== 'file' || id === undefined) return []
    const { mediaType, filename } = segment
    return [{ id, mediaType, ...(filename !== undefined && { filename }) }]
  })
  return { text: textOf(segments), files }
}
