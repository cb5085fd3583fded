import type { RunInfo, RunStoreSnapshot } from '@millrace/core/client'
import { type ComponentType, useEffect, useState } from 'react'
import { Icon } from '../icon.tsx'
import { Sheet } from '../sheet.tsx'

export interface RunsOfThread {
  /** Oldest first, at least one. */
  readonly runs: readonly RunInfo[]
  /** The newest run, if this page streams or has streamed it. */
  readonly newest: RunStoreSnapshot | undefined
}

/** Opens the panel that shows what other programs receive of this thread's runs. */
export function WiresButton(props: RunsOfThread) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="mr-button button quiet wires-button"
        aria-haspopup="dialog"
        aria-label="Wires"
        title="What each wire carries of this run, and where to watch it"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="wires" />
        <span>Wires</span>
      </button>
      {isOpen && (
        <Sheet title="Wires" onClose={() => setIsOpen(false)}>
          <FetchedPanel {...props} />
        </Sheet>
      )}
    </>
  )
}

type Panel = ComponentType<RunsOfThread>

/** The panel is loaded when it is first opened. If the server does not answer, the next opening tries again. */
function FetchedPanel(props: RunsOfThread) {
  const [fetched, setFetched] = useState<{ readonly Panel?: Panel; readonly hasFailed?: boolean }>({})
  useEffect(() => {
    let isCurrent = true
    const panel = import('./wires-panel.tsx').then(({ WiresPanel }) => ({ Panel: WiresPanel }))
    panel.catch(() => ({ hasFailed: true })).then((found) => isCurrent && setFetched(found))
    return () => {
      isCurrent = false
    }
  }, [])
  const { Panel, hasFailed } = fetched
  if (Panel !== undefined) return <Panel {...props} />
  return (
    hasFailed && (
      <p className="wires" role="alert">
        The server does not answer, so the wires could not be loaded. Close this and open it again.
      </p>
    )
  )
}
