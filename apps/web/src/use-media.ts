import { useMemo, useSyncExternalStore } from 'react'

export const NARROW = '(max-width: 719px)'

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
