import { lineageOf } from '@millrace/core/api'
import type { RunInfo, ThreadStore } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import { Boundary, type Draft, type Unsent } from '@millrace/react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useCommands } from '../keys/keys-context.tsx'
import type { PositionStore } from '../position/position-store.ts'
import type { ThreadActions } from '../thread/use-thread-actions.ts'
import { type BranchPoint, branchPointOf } from './branch-point.ts'
import { isSameMoment } from './drawn-moment.ts'
import { BranchNote, HorizonLine, PastBar } from './past-bar.tsx'
import { type Travel, useDockOpen, useTravel } from './use-travel.ts'
import '../styles/past.css'

/** Loaded when the dock is first opened. */
const TimeDock = lazy(async () => ({ default: (await import('./time-dock.tsx')).TimeDock }))

interface TravelPageOptions {
  readonly store: ThreadStore
  readonly position: PositionStore
  readonly runs: readonly RunInfo[]
  readonly chatEvents: readonly ChatEvent[]
  readonly isBusy: boolean
  readonly send: ThreadActions['send']
}

/** What the page of a thread shows of its past, and in the place of what. */
interface TravelPage extends Pick<Travel, 'past' | 'clock'> {
  readonly chatEvents: readonly ChatEvent[]
  readonly runs: readonly RunInfo[]
  /** The line where the past ends. */
  readonly horizon: ReactNode
  /** In place of the composer. */
  readonly bar: ReactNode
  /** What the composer is given for a message that begins a branch. */
  readonly branch:
    | {
        readonly note: ReactNode
        readonly unsent: Unsent | undefined
        readonly send: (draft: Draft) => Promise<void>
      }
    | undefined
  readonly dock: ReactNode
  readonly isDockOpen: boolean
  readonly toggleDock: () => void
}

export function useTravelPage({ store, position, runs, chatEvents, isBusy, send }: TravelPageOptions): TravelPage {
  const path = useMemo(() => lineageOf(runs), [runs])
  const [isDockOpen, toggleDock] = useDockOpen(position)
  const { run, travelRun, past, clock } = useTravel(store, position, path, isDockOpen)
  const [branching, setBranching] = useState<BranchPoint>()
  const point = past && branchPointOf(path, past)
  // Another moment is another branch: the message was for the one that was chosen.
  const branch = branching !== undefined && isSameMoment(past, branching.at) ? branching : undefined
  const begin = () => {
    if (point === undefined) return
    setBranching(point)
    position.travel(point.at)
  }
  useCommands({ 'time-dock': run && toggleDock, branch: point && begin })
  const cancel = () => setBranching(undefined)
  const laterRuns = past === undefined ? 0 : path.length - 1 - path.findIndex(({ id }) => id === past.runId)
  return {
    past,
    clock,
    chatEvents: past?.chatEvents ?? chatEvents,
    runs: past?.runs ?? runs,
    horizon: past && travelRun && <HorizonLine past={past} travelRun={travelRun} laterRuns={laterRuns} />,
    bar:
      point === undefined || branch !== undefined ? undefined : (
        <PastBar isLive={isBusy} point={point} onBranch={begin} />
      ),
    branch: branch && {
      note: <BranchNote point={branch} onCancel={cancel} />,
      unsent: questionAfter(branch, path, chatEvents),
      send(draft) {
        setBranching(undefined)
        position.travel(undefined)
        return send(draft, branch.after)
      },
    },
    dock: isDockOpen && travelRun && (
      <Boundary of={travelRun} fallback={undefined}>
        <Suspense fallback={<section className="time" aria-label="Time" aria-busy="true" />}>
          <TimeDock travelRun={travelRun} present={chatEvents} />
        </Suspense>
      </Boundary>
    ),
    isDockOpen,
    toggleDock,
  }
}

/** The question of the turn behind a boundary: a branch often asks it in other words. */
function questionAfter(
  { keptTurns }: BranchPoint,
  path: readonly RunInfo[],
  chatEvents: readonly ChatEvent[],
): Unsent | undefined {
  const runId = path[keptTurns]?.id
  const question = chatEvents.find((event) => event.runId === runId && event.role === 'user')
  const text = question?.segments.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n') ?? ''
  return text === '' ? undefined : { text, files: [] }
}
