import type { RunInfo } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import { callsOf, stepsOf } from '@millrace/core/work'
import { type ComponentType, type KeyboardEvent, useMemo } from 'react'
import { Icon } from '../icon.tsx'
import { type PaneName, panes } from '../position/panes.ts'
import { usePosition, usePositionStore } from '../position/position-context.ts'
import { StepNavigator } from './step-navigator.tsx'
import { type Work, WorkProvider } from './work-context.ts'
import '../styles/panes.css'

export interface PanesProps {
  /** What is shown of the thread: at a moment in the past, what there was then. */
  readonly chatEvents: readonly ChatEvent[]
  readonly runs: readonly RunInfo[]
  /** Where the server is mounted; empty at the root. */
  readonly basePath: string
}

/** The panes beside the chat: tabs, the steps, and the pane that is open. */
export function Panes({ chatEvents, runs, basePath }: PanesProps) {
  const { pane = 'code', isFollowing, at } = usePosition()
  const store = usePositionStore()
  const work = useMemo<Work>(
    () => ({ chatEvents, steps: stepsOf(chatEvents), calls: callsOf(chatEvents), runs, basePath }),
    [chatEvents, runs, basePath],
  )
  const Body = bodies[pane]
  return (
    <WorkProvider value={work}>
      <section className="panes" aria-label="Panes">
        <div className="pane-tabs">
          <PaneTabs pane={pane} />
          <button
            type="button"
            className="mr-button button pane-follow"
            aria-pressed={isFollowing}
            title="Show the newest piece (f)"
            onClick={() => store.follow(!isFollowing)}
          >
            <Icon name="pin" />
            Follow
          </button>
        </div>
        <StepNavigator isPast={at !== undefined} />
        <div className="pane-body" role="tabpanel" id="pane" aria-labelledby={`pane-tab-${pane}`} tabIndex={-1}>
          <Body />
        </div>
      </section>
    </WorkProvider>
  )
}

const tabLabels: { readonly [Pane in PaneName]: string } = {
  code: 'Code',
  terminal: 'Terminal',
  files: 'Files',
  lens: 'Lens',
}

/** What each pane draws. A new pane does not compile until it has one. */
const bodies: { readonly [Pane in PaneName]: ComponentType } = {
  code: () => <p className="pane-empty">No file was read or written yet.</p>,
  terminal: () => <p className="pane-empty">No command was run yet.</p>,
  files: () => <p className="pane-empty">No file was made or visited yet.</p>,
  lens: () => <p className="pane-empty">Choose a piece to see the records that it came from.</p>,
}

function PaneTabs({ pane }: { readonly pane: PaneName }) {
  const store = usePositionStore()
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || event.shiftKey) return
    event.preventDefault()
    const next = panes[(panes.indexOf(pane) + step + panes.length) % panes.length] as PaneName
    store.openPane(next)
    event.currentTarget.querySelector<HTMLElement>(`#pane-tab-${next}`)?.focus()
  }
  return (
    <div className="pane-tab-list" role="tablist" aria-label="Panes" onKeyDown={onKeyDown}>
      {panes.map((name, index) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`pane-tab-${name}`}
          className="pane-tab"
          aria-selected={name === pane}
          aria-controls="pane"
          title={`${tabLabels[name]} (${index + 1})`}
          tabIndex={name === pane ? 0 : -1}
          onClick={() => store.openPane(name)}
        >
          {tabLabels[name]}
        </button>
      ))}
    </div>
  )
}
