import type { ChatEvent, ErrorSegment } from '@millrace/core/fold'
import { createContext, useContext } from 'react'
import { Icon } from '../icon.tsx'
import { useViewContext } from '../view-context.ts'

/** An error that did not end the run: one quiet line. */
export function RecoveredError({ segment }: { readonly segment: ErrorSegment }) {
  const { labels } = useViewContext()
  const { message } = segment
  return (
    <div className="mr-card mr-notice">
      <div className="mr-head">
        <Icon name="alert" className="mr-glyph" />
        <span className="mr-cut" title={message}>
          <b>{labels.recoveredError}</b> · {message}
        </span>
        <span className="mr-end mr-mono">{codeOf(segment)}</span>
      </div>
    </div>
  )
}

interface EndingProps {
  readonly event: ChatEvent
}

/** The error that ended the run: filled, with what is kept and the next action. */
export function FatalError({ event, segment }: EndingProps & { readonly segment: ErrorSegment }) {
  const { labels } = useViewContext()
  const code = codeOf(segment)
  return (
    <div className="mr-fatal" role="alert" data-seqs={segment.seqs.join('-')}>
      <Icon name="cross-circle" className="mr-glyph" />
      <div className="mr-fatal-text">
        <p>
          <b>{labels.runFailed}</b>
        </p>
        <p>
          {code !== '' && <code>{code}</code>}
          {segment.message}
        </p>
        <p className="mr-quiet">{labels.keptUpTo(String(segment.seqs[0]))}</p>
      </div>
      <ContinueButton event={event} label={labels.continueFromHere} />
    </div>
  )
}

/** The runs that the user has stopped, as far as the host names them. */
const StoppedRuns = createContext<ReadonlySet<string>>(new Set())

export const StoppedRunsProvider = StoppedRuns.Provider

/** The stream was interrupted, or the user has stopped it: the line names the entry. */
export function Interrupted({ event }: EndingProps) {
  const { labels } = useViewContext()
  const isStopped = useContext(StoppedRuns).has(event.runId)
  return (
    <div className="mr-card mr-notice mr-interrupted">
      <div className="mr-head">
        <Icon name={isStopped ? 'slash' : 'cut'} className="mr-glyph" />
        <span className="mr-cut">
          <b>{isStopped ? labels.cutByYou : labels.cut}</b> {labels.cutAt(String(event.seqs[1]))}
        </span>
        <span className="mr-end">
          <ContinueButton event={event} label={labels.continue} />
        </span>
      </div>
    </div>
  )
}

function ContinueButton({ event, label }: EndingProps & { readonly label: string }) {
  const { onContinue } = useViewContext()
  if (onContinue === undefined) return undefined
  return (
    <button type="button" className="mr-button" onClick={() => onContinue(event)}>
      <Icon name="retry" />
      {label}
    </button>
  )
}

function codeOf({ code, name }: ErrorSegment): string {
  return [...new Set([code, name])].filter((part) => part !== undefined).join(' ')
}
