import type { RunStoreSnapshot } from '@millrace/core/client'
import { Boundary } from '@millrace/react'
import { type CSSProperties, lazy, type ReactNode, Suspense, useRef } from 'react'
import { Icon } from '../icon.tsx'
import { titleWithKey } from '../keys/key-caps.tsx'
import type { PaneName, ViewName } from '../position/panes.ts'
import { usePositionPart, usePositionStore } from '../position/position-context.ts'
import { Divider } from './divider.tsx'
import { ArrivalsContext, useArrivals } from './lens/arrivals.ts'
import { LensHandle } from './lens/lens-handle.tsx'
import { useChatLink } from './link/use-chat-link.ts'
import { usePaneShare } from './pane-width.ts'
import type { PanesProps } from './panes.tsx'
import { lastPane, useWorkKeys } from './use-work-keys.ts'
import { ViewSwitch } from './view-switch.tsx'

/** Loaded when a pane, or the timeline, is opened for the first time. */
const Panes = lazy(async () => ({ default: (await import('./panes.tsx')).Panes }))
const Timeline = lazy(async () => ({ default: (await import('../timeline/timeline.tsx')).Timeline }))

interface WorkAreaProps extends PanesProps {
  /** The messages, and what is written to the thread. */
  readonly chat: ReactNode
  /** The newest run, if it is streamed here. */
  readonly newest?: RunStoreSnapshot | undefined
}

/** The chat, and beside it the panes: on a narrow screen one of them at a time. Or the timeline, in their stead. */
export function WorkArea({ chat, newest, ...panes }: WorkAreaProps) {
  const area = useRef<HTMLDivElement>(null)
  const isTimeline = usePositionPart(({ view }) => view === 'timeline')
  const openPane = usePositionPart((position) => position.pane)
  const pane = isTimeline ? undefined : openPane
  const [share, setShare] = usePaneShare()
  const chatArea = useRef<HTMLElement>(null)
  const chatHandlers = useChatLink(chatArea, panes.chatEvents, panes.onReveal)
  const arrivals = useArrivals(newest)
  useWorkKeys(area)
  return (
    <div
      className="work"
      ref={area}
      data-pane={pane}
      data-view={isTimeline ? 'timeline' : undefined}
      style={{ '--panes': `${(share * 100).toFixed(2)}%` } as CSSProperties}
    >
      <section className="chat" aria-label="Chat" ref={chatArea} {...chatHandlers.handlers}>
        {chat}
        <LensHandle chat={chatArea} pieceBelow={chatHandlers.pieceBelow} />
      </section>
      {pane !== undefined && (
        <>
          <Divider area={area} share={share} onChange={setShare} />
          <Boundary of={panes.chatEvents} fallback={<p className="pane-empty">The panes could not be drawn.</p>}>
            <Suspense fallback={<section className="panes" aria-label="Panes" aria-busy="true" />}>
              <ArrivalsContext value={arrivals}>
                <Panes {...panes} />
              </ArrivalsContext>
            </Suspense>
          </Boundary>
        </>
      )}
      {isTimeline && (
        <Boundary of={panes.chatEvents} fallback={<p className="pane-empty">The timeline could not be drawn.</p>}>
          <Suspense fallback={<section aria-label="Timeline" aria-busy="true" />}>
            <Timeline {...panes} />
          </Suspense>
        </Boundary>
      )}
      <BottomSwitch shown={isTimeline ? 'timeline' : (pane ?? 'chat')} />
    </div>
  )
}

const views: { readonly [View in ViewName]: string } = { chat: 'Chat', timeline: 'Timeline' }

/** Chooses what the page of a thread shows. */
export function ThreadViewSwitch() {
  const store = usePositionStore()
  const view = usePositionPart((position) => position.view)
  return <ViewSwitch label="View" views={views} value={view} onChoose={store.show} />
}

/** Opens and closes the panes. */
export function PanesButton() {
  const store = usePositionStore()
  const isOpen = usePositionPart(({ pane }) => pane !== undefined)
  return (
    <button
      type="button"
      className="icon-button panes-button"
      aria-label="Panes"
      title={titleWithKey('Panes', 'panes')}
      aria-pressed={isOpen}
      onClick={() => store.openPane(isOpen ? undefined : lastPane())}
    >
      <Icon name="panes" />
    </button>
  )
}

const switchLabels: { readonly [Pane in Exclude<PaneName, 'lens'>]: string } = {
  code: 'Code',
  terminal: 'Terminal',
  files: 'Files',
}

/** What a narrow screen shows. */
function BottomSwitch({ shown }: { readonly shown: ViewName | PaneName }) {
  const store = usePositionStore()
  const show = (view: ViewName, pane?: PaneName) => {
    store.openPane(pane)
    store.show(view)
  }
  return (
    <nav className="bottom-switch" aria-label="Shown">
      <button type="button" aria-pressed={shown === 'chat'} onClick={() => show('chat')}>
        Chat
      </button>
      {Object.entries(switchLabels).map(([name, label]) => (
        <button key={name} type="button" aria-pressed={shown === name} onClick={() => show('chat', name as PaneName)}>
          {label}
        </button>
      ))}
      {/* The lens is opened from a piece. */}
      {shown === 'lens' && (
        <button type="button" aria-pressed={true}>
          Lens
        </button>
      )}
      <button type="button" aria-pressed={shown === 'timeline'} onClick={() => show('timeline')}>
        Time
      </button>
    </nav>
  )
}
