import { type RefObject, useEffect } from 'react'

/** `/` goes to the search, unless somebody is writing. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>, reveal: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey && !event.defaultPrevented
      if (event.key !== '/' || !isPlain || isWriting(event.target)) return
      event.preventDefault()
      reveal()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [field, reveal])
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}
