import { type RefObject, useEffect, useRef } from 'react'
import { useCommands } from './keys/keys-context.tsx'
import type { Route } from './routes.ts'

/**
 * If the page changes and removes the focused control, the focus moves to the composer: a user who has started a run can
 * write at once. On touch screens it moves to the thread, because a focused field opens the keyboard. The first page is
 * not changed.
 */
export function useFocusAfterMove(route: Route): void {
  const before = useRef(route)
  useEffect(() => {
    if (before.current === route) return
    before.current = route
    const { activeElement } = document
    // A link of the drawer that has just closed loses the focus only with the next frame.
    if (activeElement === document.body || activeElement?.closest('[inert]')) focusMain()
  }, [route])
}

export function focusMain(): void {
  const field = matchMedia('(pointer: coarse)').matches
    ? '.mr-thread-scroll, .start, .runs-scroll'
    : '.mr-composer textarea'
  const wanted = document.querySelector<HTMLElement>(`#main :is(${field})`)
  // A recording has no composer.
  const shown = wanted ?? document.querySelector<HTMLElement>('#main .mr-thread-scroll')
  shown?.focus({ preventScroll: true })
}

/** Beside a page that may still be on its way: the effect comes with the page. */
export function FocusAfterMove({ route }: { readonly route: Route }): undefined {
  useFocusAfterMove(route)
}

/** `/` focuses the search of the page, else that of the rail. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>, reveal: () => void): void {
  useCommands({
    search() {
      const own = document.querySelector<HTMLInputElement>('#main [data-search]')
      if (own === null) reveal()
      const wanted = own ?? field.current
      wanted?.focus()
      wanted?.select()
    },
  })
}
