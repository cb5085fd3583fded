import type { RunInfo } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import { type ComponentType, type KeyboardEvent, lazy, Suspense, useMemo } from 'react'
import { Icon } from '../icon.tsx'
import { titleWithKey } from '../keys/key-caps.tsx'
import { type PaneName, panes } from '../position/panes.ts'
import { usePositionPart, usePositionStore } from '../position/position-context.ts'
import { doneIn } from './later.ts'
import { StepNavigator } from './step-navigator.tsx'
import { type Work, WorkProvider, workOf } from './work-context.ts'
import '../styles/panes.css'
import '../styles/pane-parts.css'

export interface PanesProps {
  /** What is shown of the thread: at a moment in the past, what there was then. */
  readonly chatEvents: readonly ChatEvent[]
  /** What there is in the present, if something earlier is shown. */
  readonly present?: readonly ChatEvent[] | undefined
  readonly runs: readonly RunInfo[]
  /** Where the server is mounted; empty at the root. */
  readonly basePath: string
  /** Shows a piece that is not in the page of the chat. */
  readonly onReveal: Work['onReveal']
}

/** The panes beside the chat: tabs, the steps, and the pane that is open. */
export function Panes({ chatEvents, present, runs, basePath, onReveal }: PanesProps) {
  // Parts of the position: while a moment is dragged, what is drawn is not drawn again for each of them.
  const pane = usePositionPart((position) => position.pane) ?? 'code'
  const isFollowing = usePositionPart((position) => position.isFollowing)
  const isPast = usePositionPart(({ at }) => at !== undefined)
  const store = usePositionStore()
  const done = useMemo(() => present && doneIn(present), [present])
  const work = useMemo(
    () => workOf(chatEvents, runs, basePath, onReveal, done),
    [chatEvents, runs, basePath, onReveal, done],
  )
  const Body = bodies[pane]
  return (
    <WorkProvider value={work}>
      <section className={pane === 'lens' ? 'panes panes-bare' : 'panes'} aria-label="Panes">
        <div className="pane-tabs">
          <PaneTabs pane={pane} work={work} />
          <button
            type="button"
            className="mr-button button pane-follow"
            aria-pressed={isFollowing}
            title={titleWithKey('Show the newest piece', 'follow')}
            onClick={() => store.follow(!isFollowing)}
          >
            <Icon name="pin" />
            Follow
          </button>
        </div>
        {/* The lens names where its piece stands itself, and steps by pieces. */}
        {pane !== 'lens' && <StepNavigator isPast={isPast} />}
        <div className="pane-body" role="tabpanel" id="pane" aria-labelledby={`pane-tab-${pane}`} tabIndex={-1}>
          <Suspense>
            <Body />
          </Suspense>
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

/** What each pane draws, loaded when it is first opened. A new pane does not compile until it has one. */
const bodies: { readonly [Pane in PaneName]: ComponentType } = {
  code: lazy(async () => ({ default: (await import('./code/code-pane.tsx')).CodePane })),
  terminal: lazy(async () => ({ default: (await import('./terminal/terminal-pane.tsx')).TerminalPane })),
  files: lazy(async () => ({ default: (await import('./files/files-pane.tsx')).FilesPane })),
  lens: lazy(async () => ({ default: (await import('./lens/lens-pane.tsx')).LensPane })),
}

/** How many things a pane has, and whether one of them goes on. */
const countsOfPane: {
  readonly [Pane in PaneName]?: (work: Work) => { readonly count: number; readonly isLive: boolean }
} = {
  code: ({ files }) => ({ count: files.filter(({ status }) => status !== 'read').length, isLive: false }),
  terminal: ({ commands }) => ({ count: commands.length, isLive: commands.some(({ state }) => state === 'running') }),
  files: ({ artifacts, visits }) => ({ count: artifacts.length + visits.length, isLive: false }),
}

function PaneTabs({ pane, work }: { readonly pane: PaneName; readonly work: Work }) {
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
          <TabCount {...(countsOfPane[name]?.(work) ?? { count: 0, isLive: false })} />
        </button>
      ))}
    </div>
  )
}

function TabCount({ count, isLive }: { readonly count: number; readonly isLive: boolean }) {
  return (
    <>
      {count > 0 && <em>{count}</em>}
      {isLive && (
        <span className="dot">
          <span className="unseen">running</span>
        </span>
      )}
    </>
  )
}
