import { englishLabels, StateGlyph, type ThreadStatus } from '@millrace/react'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { MenuButton } from '../navigation.tsx'
import { seqText } from '../words/numbers.ts'
import { TitleField } from './title-field.tsx'

interface ThreadHeaderProps {
  readonly title: string
  /** The agent of the last run, or the format of its stream. */
  readonly source: string | undefined
  /** The model that answered last, if it is reported. */
  readonly model?: string | undefined
  readonly state: ThreadStatus
  /** The page has lost its connection to the run. */
  readonly isCut: boolean
  /** The attempts at the last answer that has several. */
  readonly attempts?: ReactNode
  /** What it used. */
  readonly usage: ReactNode
  /** The entry of the moment that is shown; absent: the present. */
  readonly pastSeq?: number | undefined
  /** Buttons that open sheets. */
  readonly tools: ReactNode
  readonly onRename: (title: string) => void
}

export function ThreadHeader(props: ThreadHeaderProps) {
  const { title, source, model, state, isCut, attempts, usage, pastSeq, tools, onRename } = props
  return (
    <header className="bar">
      <MenuButton />
      <TitleField title={title} onRename={onRename} />
      {source !== undefined && (
        <span className="mr-badge badge format">
          {source}
          {model !== undefined && <span className="badge-model">{model}</span>}
        </span>
      )}
      <StateBadge state={state} isCut={isCut} pastSeq={pastSeq} />
      {attempts}
      <span className="bar-end">
        {usage}
        {tools}
      </span>
    </header>
  )
}

/** The state of the thread, or that the page shows a moment of its past. */
function StateBadge({ state, isCut, pastSeq }: Pick<ThreadHeaderProps, 'state' | 'isCut' | 'pastSeq'>) {
  if (pastSeq !== undefined)
    return (
      <span className="mr-badge badge badge-past">
        <Icon name="clock" />
        Past <code>{seqText(pastSeq)}</code>
      </span>
    )
  if (isCut) return <span className="mr-badge badge">Not connected</span>
  return (
    <span className={`mr-badge badge badge-${state}`}>
      <StateGlyph state={state} />
      {englishLabels.threadStatus[state]}
    </span>
  )
}
