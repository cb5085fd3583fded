import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'

export interface ModalProps {
  readonly className: string
  /** What a screen reader calls it: a text, or the id of its heading. */
  readonly label: { readonly text: string } | { readonly headingId: string }
  readonly onClose: () => void
  readonly children: (close: () => void) => ReactNode
}

/** A dialog over the page. Escape, `close` and a click beside its content close it, and the focus returns to where it was. */
export function Modal({ className, label, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  /** Where the pointer went down: selecting text may end beside the content, and is no click beside it. */
  const pressed = useRef<EventTarget>(undefined)
  const close = () => dialog.current?.close()
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current && pressed.current === dialog.current) close()
  }
  return (
    <dialog
      className={className}
      ref={dialog}
      {...('text' in label ? { 'aria-label': label.text } : { 'aria-labelledby': label.headingId })}
      onClose={onClose}
      onPointerDown={(event) => {
        pressed.current = event.target
      }}
      onClick={onClick}
      // The page's keyboard shortcuts are off until it is closed.
      onKeyDown={(event) => event.stopPropagation()}
    >
      {children(close)}
    </dialog>
  )
}
