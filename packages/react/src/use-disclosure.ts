import { useEffect, useState, useSyncExternalStore } from 'react'
import { useViewContext } from './view-context.ts'

export interface Disclosure {
  readonly isOpen: boolean
  /** The user has toggled it: only then is it animated, because a stored card mounts in its final state. */
  readonly isToggled: boolean
  toggle(): void
}

/** Open or closed: by the user's toggle, else by the data. */
export function useDisclosure(name: string | number, isOpenByItself: boolean): Disclosure {
  const { toggles, scope } = useViewContext()
  const key = `${scope}:${name}`
  const read = () => toggles.get(key)
  const chosen = useSyncExternalStore(toggles.subscribe, read, read)
  const isOpen = chosen ?? isOpenByItself
  return { isOpen, isToggled: chosen !== undefined, toggle: () => toggles.set(key, !isOpen) }
}

const LINGER_MS = 500

/** A block is open while it is live and 500 ms longer, unless a newer block opens: then it closes at once. */
export function useOpenWhileLive(isLive: boolean, hasNewer: boolean): boolean {
  const [isLingering, setIsLingering] = useState(isLive)
  useEffect(() => {
    if (isLive) {
      setIsLingering(true)
      return
    }
    const timer = setTimeout(() => setIsLingering(false), LINGER_MS)
    return () => clearTimeout(timer)
  }, [isLive])
  return !hasNewer && (isLive || isLingering)
}
