import type { Draft } from '@millrace/react'
import { useEffect } from 'react'
import { AppComposer } from '../composer/app-composer.tsx'
import { focusMain } from '../focus.ts'
import { Icon } from '../icon.tsx'
import type { Editing } from './use-branches.tsx'

interface EditComposerProps {
  readonly editing: Editing
  readonly agent: string
  readonly onAgent: (name: string) => void
  readonly onSend: (draft: Draft) => Promise<void>
  readonly onEnd: () => void
}

/** A message as it was sent, to be changed: what is sent begins another attempt, and the first one stays. */
export function EditComposer({ editing, agent, onAgent, onSend, onEnd }: EditComposerProps) {
  useEffect(() => {
    focusMain()
    return () => {
      if (document.activeElement === document.body) focusMain()
    }
  }, [])
  const send = async (draft: Draft) => {
    await onSend(draft)
    onEnd()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in the field of the composer
    <div
      className="editing"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onEnd()
      }}
    >
      <p className="editing-note">
        <Icon name="pencil" />
        <span>
          <b>Editing a message.</b> What you send becomes another attempt; this one is kept.
        </span>
        <button type="button" className="mr-button button quiet" onClick={onEnd}>
          Cancel
        </button>
      </p>
      <AppComposer
        agent={agent}
        onAgent={onAgent}
        placeholder="The message, as it should have been"
        onSend={send}
        unsent={editing}
      />
    </div>
  )
}
