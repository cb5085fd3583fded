import { isComposing } from '@millrace/react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useCommands } from '../keys/keys-context.tsx'

interface TitleFieldProps {
  readonly title: string
  readonly onRename: (title: string) => void
}

/** The thread's title: a heading that becomes a field when it is clicked. */
export function TitleField({ title, onRename }: TitleFieldProps) {
  const [draft, setDraft] = useState<string>()
  const isCancelled = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  /** A key ended the editing, so the focus stays at the title. */
  const keepsFocus = useRef(false)
  useLayoutEffect(() => {
    if (draft === undefined && keepsFocus.current) button.current?.focus()
    keepsFocus.current = false
  }, [draft])
  const finish = () => {
    const next = draft?.trim() ?? ''
    if (!isCancelled.current && next !== '' && next !== title) onRename(next)
    setDraft(undefined)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || isComposing(event.nativeEvent)) return
    event.stopPropagation()
    // The same key would press the button that replaces the field.
    event.preventDefault()
    isCancelled.current = event.key === 'Escape'
    keepsFocus.current = true
    event.currentTarget.blur()
  }
  const edit = () => {
    isCancelled.current = false
    setDraft(title)
  }
  useCommands({ rename: edit })
  return (
    <h1 className="title">
      {draft === undefined ? (
        <button ref={button} type="button" className="title-button mr-cut" title="Rename" onClick={edit}>
          {title}
        </button>
      ) : (
        <input
          className="title-input"
          aria-label="Title of the thread"
          value={draft}
          maxLength={200}
          // biome-ignore lint/a11y/noAutofocus: it replaces the button that was just pressed
          autoFocus
          onFocus={(event) => event.target.select()}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={finish}
        />
      )}
    </h1>
  )
}
