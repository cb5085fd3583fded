import { isComposing } from '@millrace/react'
import { type KeyboardEvent, type Ref, useEffect, useState } from 'react'
import { Icon } from '../icon.tsx'

interface SearchFieldProps {
  readonly onSearch: (text: string) => void
  readonly ref: Ref<HTMLInputElement>
}

/** How long typing must pause before the server is asked. */
const SETTLE_MS = 150

export function SearchField({ onSearch, ref }: SearchFieldProps) {
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.trim()), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text, onSearch])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape' || text === '' || isComposing(event.nativeEvent)) return
    // The first Escape empties the field; only the next one leaves it.
    event.stopPropagation()
    setText('')
  }
  return (
    <div className="search">
      <Icon name="search" />
      <input
        ref={ref}
        type="search"
        aria-label="Search threads"
        aria-keyshortcuts="/"
        value={text}
        placeholder="Search threads"
        enterKeyHint="search"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <kbd>{text === '' ? '/' : 'esc'}</kbd>
    </div>
  )
}
