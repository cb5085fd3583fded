import { Modal } from '@millrace/react'
import { type FormEvent, type ReactNode, useId } from 'react'
import './styles/menus.css'

interface DialogProps {
  readonly title: string
  /** What its button does. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly children: ReactNode
  /** Called when the button is pressed; the dialog is closed then. */
  readonly onAct: (form: FormData) => void
  readonly onClose: () => void
}

/** A question over the page, with one answer besides “Cancel”. */
export function Dialog({ title, action, isDangerous = false, children, onAct, onClose }: DialogProps) {
  const headingId = useId()
  return (
    <Modal className="dialog" label={{ headingId }} onClose={onClose}>
      {(close) => (
        <form
          className="dialog-inside"
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            close()
            onAct(form)
          }}
        >
          <h2 id={headingId}>{title}</h2>
          {children}
          <p className="dialog-actions">
            <button type="button" className="mr-button button" onClick={close}>
              Cancel
            </button>
            <button type="submit" className={`mr-button button ${isDangerous ? 'danger' : 'mr-primary'}`}>
              {action}
            </button>
          </p>
        </form>
      )}
    </Modal>
  )
}
