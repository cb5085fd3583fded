import type { RunInfo } from '@millrace/core/client'
import { formatTitle, Thread, type ThreadProps, threadStatusOf } from '@millrace/react'
import { useCallback, useMemo } from 'react'
import { UnreadLine } from '../records/unread-line.tsx'

interface MessagesProps extends Omit<ThreadProps, 'endedRuns' | 'stoppedRuns' | 'renderAfterRun' | 'answerOptions'> {
  readonly runs: readonly RunInfo[]
  /** The thread has been read: what finishes from now on is announced. */
  readonly isLoaded: boolean
  /** The agent runs a call as a person changes it. */
  readonly canEdit?: boolean
}

/** A changed input is offered only if the agent says that it runs what was changed. */
const ANSWERS = { canSay: true, canRemember: true } as const
const EDITED_ANSWERS = { ...ANSWERS, canEdit: true } as const

/** The messages of a thread, with what the app knows about their runs. */
export function Messages({ runs, canEdit = false, end, ...thread }: MessagesProps) {
  const { events, isLoaded } = thread
  const endedRuns = useMemo(() => new Set(runs.filter(({ state }) => state === 'ended').map(({ id }) => id)), [runs])
  const stoppedRuns = useMemo(() => new Set(runs.filter(isStopped).map(({ id }) => id)), [runs])
  const totals = useMemo(() => new Map(runs.map((run) => [run.id, run])), [runs])
  const unreadOf = useCallback((id: string) => <UnreadLine run={runs.find((run) => run.id === id)} />, [runs])
  const last = runs.at(-1)
  return (
    <Thread
      {...thread}
      endedRuns={endedRuns}
      stoppedRuns={stoppedRuns}
      totals={totals}
      renderAfterRun={unreadOf}
      answerOptions={canEdit ? EDITED_ANSWERS : ANSWERS}
      end={
        <>
          {end}
          {isLoaded && events.length === 0 && last?.state === 'ended' && <EmptyThread run={last} />}
        </>
      }
    />
  )
}

const isStopped = (run: RunInfo) => threadStatusOf(run, false) === 'stopped'

/** Explains why a thread whose run has ended is empty. */
function EmptyThread({ run }: { readonly run: RunInfo }) {
  const count = run.raw?.count ?? 0
  return (
    <div className="empty-thread">
      <h2>{count > 0 ? 'Nothing of this run was understood' : 'This run ended without output'}</h2>
      <p>
        {count > 0
          ? `Its records were read as ${formatTitle(run.format ?? 'unknown')}. They may be of another format; nothing is lost.`
          : 'It sent no message, tool call or status.'}
      </p>
      <UnreadLine run={run} />
    </div>
  )
}
