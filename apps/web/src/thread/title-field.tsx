import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'

interface TitleFieldProps {
  readonly title: string
  readonly onRename: (title: string) => void
}

/** The thread's title: a heading to read, a field once it is clicked. */
export function TitleField({ title, onRename }: TitleFieldProps) {
  const [draft, setDraft] = useState<string>()
  const isGivenUp = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  /** It was a key that ended the editing, so the focus stays with the title. */
  const keepsFocus = useRef(false)
  useLayoutEffect(() => {
    if (draft === undefined && keepsFocus.current) button.current?.focus()
    keepsFocus.current = false
  }, [draft])
  const finish = () => {
    const next = draft?.trim() ?? ''
    if (!isGivenUp.current && next !== '' && next !== title) onRename(next)
    setDraft(undefined)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.stopPropagation()
    // The same key would press the button that takes the field's place.
    event.preventDefault()
    isGivenUp.current = event.key === 'Escape'
    keepsFocus.current = true
    event.currentTarget.blur()
  }
  const edit = () => {
    isGivenUp.current = false
    setDraft(title)
  }
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
          // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was just pressed
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
