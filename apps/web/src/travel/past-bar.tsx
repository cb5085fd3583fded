import { type Horizon, horizonOf } from '@millrace/core/travel'
import { useStore } from '@millrace/react'
import { Icon } from '../icon.tsx'
import { titleWithKey } from '../keys/key-caps.tsx'
import { clockText } from '../words/numbers.ts'
import { type BranchPoint, branchWords } from './branch-point.ts'
import type { TravelRun } from './travel-run.ts'
import { horizonText } from './travel-words.ts'
import type { Past } from './use-travel.ts'

interface PastBarProps {
  /** The newest run goes on meanwhile. */
  readonly isLive: boolean
  readonly point: BranchPoint
  readonly onBranch: () => void
}

/** In the place of the composer: nothing can be said to the past, but another branch can begin there. */
export function PastBar({ isLive, point, onBranch }: PastBarProps) {
  return (
    <div className="dock">
      <div className="past-bar">
        <Icon name="clock" />
        <span>
          You are in the past.{isLive && ' The run goes on.'}
          <small>A branch begins {branchWords(point)}.</small>
        </span>
        <button
          type="button"
          className="mr-button button"
          title={titleWithKey('Branch from here', 'branch')}
          onClick={onBranch}
        >
          <Icon name="branch" />
          Branch from here
        </button>
      </div>
    </div>
  )
}

/** Above the composer of a branch: what the message continues. */
export function BranchNote({ point, onCancel }: { readonly point: BranchPoint; readonly onCancel: () => void }) {
  return (
    <p className="branch-note">
      <Icon name="branch" />
      <span>The message begins a branch {branchWords(point)}. What followed stays in the thread.</span>
      <button type="button" className="mr-button button quiet" onClick={onCancel}>
        Cancel
      </button>
    </p>
  )
}

interface HorizonLineProps {
  readonly past: Past
  readonly travelRun: TravelRun
  readonly laterRuns: number
}

/** Where the moment ends what is drawn: what lies behind it is only counted. */
export function HorizonLine({ past, travelRun, laterRuns }: HorizonLineProps) {
  const { length, marks, times } = useStore(travelRun)
  if (past.isReading) return <p className="horizon">Reading the entries up to here</p>
  const ahead: Horizon = horizonOf(marks, length, past.seq)
  const time = clockText(past.time - (times[0] ?? past.time))
  return (
    <p className="horizon">
      {time} · {horizonText(ahead, laterRuns)}
    </p>
  )
}
