import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react'

export interface ModalProps {
  readonly className: string
  /** What a screen reader calls it: a text, or the id of its heading. */
  readonly label: { readonly text: string } | { readonly headingId: string }
  /** Unmount it. */
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
  /** The browser reports the end in a later task: a click until then must find the host without its dialog. */
  const close = () => {
    dialog.current?.close()
    onClose()
  }
  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault()
    close()
  }
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current && pressed.current === dialog.current) close()
  }
  return (
    <dialog
      className={className}
      ref={dialog}
      {...('text' in label ? { 'aria-label': label.text } : { 'aria-labelledby': label.headingId })}
      onCancel={onCancel}
      // Escape after Escape closes without asking.
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
