import { type RefObject, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useCommands } from './keys/keys-context.tsx'

export const NARROW = '(max-width: 719px)'

export interface Drawer {
  readonly isOpen: boolean
  /** The rail is a closed drawer. */
  readonly isHidden: boolean
  readonly open: () => void
  readonly close: () => void
}

/** If there is no room for the rail, it is a drawer. Escape closes it, and the focus returns to where it was. */
export function useDrawer(firstField: RefObject<HTMLElement | null>): Drawer {
  const isNarrow = useMedia(NARROW)
  const [isWanted, setIsWanted] = useState(false)
  const isOpen = isNarrow && isWanted
  // Where there is room nothing is wanted: a screen that becomes narrow later begins with a closed drawer.
  useEffect(() => {
    if (!isNarrow && isWanted) setIsWanted(false)
  }, [isNarrow, isWanted])
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    firstField.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [isOpen, firstField])
  const open = useCallback(() => setIsWanted(true), [])
  const close = useCallback(() => setIsWanted(false), [])
  useCommands({ back: isOpen ? close : undefined })
  return { isOpen, isHidden: isNarrow && !isWanted, open, close }
}

export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query])
  const subscribe = useMemo(
    () => (listener: () => void) => {
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [media],
  )
  return useSyncExternalStore(subscribe, () => media.matches)
}
