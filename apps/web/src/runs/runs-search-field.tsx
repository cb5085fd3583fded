import { isComposing } from '@millrace/react'
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import type { RunsRoute } from './runs-route.ts'

interface RunsSearchFieldProps {
  readonly route: RunsRoute
  readonly ref?: Ref<HTMLInputElement>
  /** The hits: arrows in the field move through them. */
  readonly hits?: { readonly listId: string; readonly activeId: string | undefined }
  readonly onKey?: (event: KeyboardEvent) => void
}

/** How long typing must pause before the log is searched. */
const SETTLE_MS = 200

/** The search in the texts of all runs: what is typed is in the address. */
export function RunsSearchField({ route, ref, hits, onKey }: RunsSearchFieldProps) {
  const { router } = useApp()
  const [text, setText] = useState(route.text ?? '')
  const written = useRef(route.text ?? '')
  // Another search was linked to.
  useEffect(() => {
    if ((route.text ?? '') === written.current) return
    written.current = route.text ?? ''
    setText(written.current)
  }, [route.text])
  useEffect(() => {
    const next = text.trim()
    if (next === written.current) return
    const timer = setTimeout(() => {
      // The list of runs is one step back; each letter is none.
      const mode = written.current === '' ? 'push' : 'replace'
      written.current = next
      const { text: _text, kind: _kind, ...filters } = route
      router.go(next === '' ? filters : { ...filters, text: next }, mode)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text, route, router])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape' && text !== '') {
      // The first Escape empties the field; only the next one leaves it.
      event.preventDefault()
      setText('')
    } else onKey?.(event)
  }
  return (
    <div className="search">
      <Icon name="search" />
      <input
        ref={ref}
        type="search"
        data-search
        aria-label="Find in all runs"
        {...(hits !== undefined && {
          role: 'combobox',
          'aria-expanded': true,
          'aria-autocomplete': 'list',
          'aria-controls': hits.listId,
          'aria-activedescendant': hits.activeId,
        })}
        value={text}
        placeholder="Find in all runs"
        enterKeyHint="search"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <kbd>{text === '' ? '/' : 'esc'}</kbd>
    </div>
  )
}
