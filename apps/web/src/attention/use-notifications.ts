import { useMemo, useState } from 'react'

const STORED = 'millrace.notifications'

/** Whether the browser says when a run is done or asks. Off until a person turns it on. */
export interface Notifications {
  readonly isOn: boolean
  /** Why it cannot be turned on. */
  readonly refusal: string | undefined
  /** Asks the browser for its permission the first time. */
  readonly toggle: () => Promise<void>
}

const refusals: { readonly [permission: string]: string } = {
  none: 'This browser has no notifications',
  denied: 'This browser does not allow notifications of this page',
}

export function useNotifications(): Notifications {
  const [isWanted, setIsWanted] = useState(isStored)
  const [permission, setPermission] = useState(permissionOf)
  return useMemo(() => {
    const isOn = isWanted && permission === 'granted'
    const set = (next: boolean) => {
      keep(next)
      setIsWanted(next)
    }
    return {
      isOn,
      refusal: refusals[permission],
      async toggle() {
        if (isOn) return set(false)
        if (permissionOf() === 'default') await Notification.requestPermission()
        const now = permissionOf()
        setPermission(now)
        set(now === 'granted')
      },
    }
  }, [isWanted, permission])
}

const permissionOf = () => ('Notification' in window ? Notification.permission : 'none')

function isStored(): boolean {
  try {
    return localStorage.getItem(STORED) === 'on'
  } catch {
    return false
  }
}

function keep(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(STORED, 'on')
    else localStorage.removeItem(STORED)
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
