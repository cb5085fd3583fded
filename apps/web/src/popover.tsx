import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { CommandName } from './keys/commands.ts'
import { useCommands } from './keys/keys-context.tsx'
import { putBelow } from './put-below.ts'
import './styles/popover.css'

interface PopoverProps {
  /** What the button shows. */
  readonly button: ReactNode
  /** What a screen reader calls the pane, and the button if it shows no words of its own. */
  readonly label: string
  readonly className: string
  readonly title?: string
  /** Opens it by a key or from the palette. */
  readonly command?: CommandName | undefined
  readonly children: (close: () => void) => ReactNode
}

/** A button that opens a small pane below it. Escape and a click beside it close it, and the focus is the button's again. */
export function Popover({ button, label, className, title, command, children }: PopoverProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen || pane.current === null || opener.current === null) return
    pane.current.showPopover()
    putBelow(pane.current, opener.current.getBoundingClientRect())
    const first = pane.current.querySelector<HTMLElement>('[aria-current="true"], button, a') ?? pane.current
    first.focus({ preventScroll: true })
  }, [isOpen])
  useCommands(command === undefined ? {} : { [command]: () => setIsOpen(true) })
  const close = () => {
    if (pane.current?.matches(':popover-open')) pane.current.hidePopover()
    opener.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        title={title}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div
          ref={pane}
          id={id}
          className="popover"
          popover="auto"
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape') close()
          }}
          onToggle={({ newState }) => newState === 'closed' && setIsOpen(false)}
        >
          {children(close)}
        </div>
      )}
    </>
  )
}
