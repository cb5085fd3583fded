import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icon.tsx'

interface SheetProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A pane over the page. Escape, its button and a click beside it close it, and the focus returns to where it was. */
export function Sheet({ title, children, onClose }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  /** Where the pointer went down: selecting text may end beside the pane, and is no click beside it. */
  const pressed = useRef<EventTarget>(undefined)
  const close = () => dialog.current?.close()
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current && pressed.current === dialog.current) close()
  }
  return (
    <dialog
      className="sheet"
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      onPointerDown={(event) => {
        pressed.current = event.target
      }}
      onClick={onClick}
      // The page's keyboard shortcuts are off until it is closed.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="sheet-inside">
        <header className="bar">
          <h2 className="bar-title" id={heading}>
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
    </dialog>
  )
}
