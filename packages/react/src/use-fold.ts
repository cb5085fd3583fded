import { useEffect, useState, useSyncExternalStore } from 'react'
import { useViewContext } from './view-context.ts'

export interface FoldState {
  readonly isOpen: boolean
  /** By hand: only then does it move, because what is stored mounts as it is. */
  readonly isToggled: boolean
  toggle(): void
}

/** Open or closed: by the person's own toggle, else as the data says. */
export function useFold(name: string | number, isOpenByItself: boolean): FoldState {
  const { toggles, scope } = useViewContext()
  const key = `${scope}:${name}`
  const read = () => toggles.get(key)
  const chosen = useSyncExternalStore(toggles.subscribe, read, read)
  const isOpen = chosen ?? isOpenByItself
  return { isOpen, isToggled: chosen !== undefined, toggle: () => toggles.set(key, !isOpen) }
}

const LINGER_MS = 500

/** A block is open while it lives and half a second longer, unless a newer block opens: then it closes at once. */
export function useOpenWhileLive(isLive: boolean, hasNewer: boolean): boolean {
  const [lingers, setLingers] = useState(isLive)
  useEffect(() => {
    if (isLive) {
      setLingers(true)
      return
    }
    const timer = setTimeout(() => setLingers(false), LINGER_MS)
    return () => clearTimeout(timer)
  }, [isLive])
  return !hasNewer && (isLive || lingers)
}
