import { useEffect, useRef } from 'react'
import type { Route } from './router.ts'

/**
 * Where the page moves on and takes the focused control with it, the focus goes to the composer: who has started a run can write
 * at once. A finger gets the thread instead, because a focused field opens the keyboard over it. The first page is left alone.
 */
export function useFocusAfterMove(route: Route): void {
  const before = useRef(route)
  useEffect(() => {
    if (before.current === route) return
    before.current = route
    if (document.activeElement === document.body) focusMain()
  }, [route])
}

export function focusMain(): void {
  const field = matchMedia('(pointer: coarse)').matches ? '.messages-scroll, .start' : '.composer textarea'
  document.querySelector<HTMLElement>(`#main :is(${field})`)?.focus({ preventScroll: true })
}
