import type { RunStoreSnapshot } from '@millrace/core/client'
import { Boundary } from '@millrace/react'
import { type CSSProperties, lazy, type ReactNode, Suspense, useRef } from 'react'
import { Icon } from '../icon.tsx'
import { titleWithKey } from '../keys/key-caps.tsx'
import type { PaneName } from '../position/panes.ts'
import { usePositionPart, usePositionStore } from '../position/position-context.ts'
import { Divider } from './divider.tsx'
import { ArrivalsContext, useArrivals } from './lens/arrivals.ts'
import { LensHandle } from './lens/lens-handle.tsx'
import { useChatLink } from './link/use-chat-link.ts'
import { usePaneShare } from './pane-width.ts'
import type { PanesProps } from './panes.tsx'
import { lastPane, useWorkKeys } from './use-work-keys.ts'

/** Loaded when a pane is opened for the first time. */
const Panes = lazy(async () => ({ default: (await import('./panes.tsx')).Panes }))

interface WorkAreaProps extends PanesProps {
  /** The messages, and what is written to the thread. */
  readonly chat: ReactNode
  /** The timeline, in place of the chat and the panes. */
  readonly timeline?: ReactNode
  /** The newest run, if it is streamed here. */
  readonly newest?: RunStoreSnapshot | undefined
}

/** The chat, and beside it the panes: on a narrow screen one of them at a time. */
export function WorkArea({ chat, timeline, newest, ...panes }: WorkAreaProps) {
  const area = useRef<HTMLDivElement>(null)
  const pane = usePositionPart((position) => position.pane)
  const view = usePositionPart((position) => position.view)
  const [share, setShare] = usePaneShare()
  const chatArea = useRef<HTMLElement>(null)
  const chatHandlers = useChatLink(chatArea, panes.chatEvents, panes.onReveal)
  const arrivals = useArrivals(newest)
  useWorkKeys(area)
  if (view === 'timeline' && timeline !== undefined) {
    return (
      <div className="work" ref={area}>
        {timeline}
      </div>
    )
  }
  return (
    <div
      className="work"
      ref={area}
      data-pane={pane}
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
      <BottomSwitch pane={pane} />
    </div>
  )
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
function BottomSwitch({ pane }: { readonly pane: PaneName | undefined }) {
  const store = usePositionStore()
  return (
    <nav className="bottom-switch" aria-label="Shown">
      <button type="button" aria-pressed={pane === undefined} onClick={() => store.openPane(undefined)}>
        Chat
      </button>
      {Object.entries(switchLabels).map(([name, label]) => (
        <button key={name} type="button" aria-pressed={pane === name} onClick={() => store.openPane(name as PaneName)}>
          {label}
        </button>
      ))}
      {/* The lens is opened from a piece. */}
      {pane === 'lens' && (
        <button type="button" aria-pressed={true}>
          Lens
        </button>
      )}
    </nav>
  )
}
