import { Modal } from '@millrace/react'
import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'

interface SheetProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A pane over the page. Escape, its button and a click beside it close it, and the focus returns to where it was. */
export function Sheet({ title, children, onClose }: SheetProps) {
  const headingId = useId()
  return (
    <Modal className="sheet" label={{ headingId }} onClose={onClose}>
      {(close) => (
        <div className="sheet-inside">
          <header className="bar">
            <h2 className="bar-title" id={headingId}>
              {title}
            </h2>
            <span className="sheet-end">
              <button type="button" className="icon-button" aria-label="Close" onClick={close}>
                <Icon name="cross" />
              </button>
            </span>
          </header>
          {children}
        </div>
      )}
    </Modal>
  )
}
