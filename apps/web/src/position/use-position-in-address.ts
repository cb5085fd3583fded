import { useEffect, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'
import { addressOf } from '../routes.ts'
import { fieldsOfRoute, routeOfPosition } from './position-address.ts'
import { createPositionStore, type PositionStore } from './position-store.ts'
import type { ThreadRoute } from './thread-route.ts'

/** Browsers refuse an address that changes too often: a moment that is dragged is written when it rests. */
const REST_MS = 300

export interface AddressedPosition {
  readonly store: PositionStore
  /** The address that was followed to get here: not one that the page wrote for itself. */
  readonly link: ThreadRoute
}

/**
 * The position of a thread's page, in step with the address: a followed link, or a step of the history, restores it, and
 * a change of it replaces the address. An address is read once the thread's runs are known.
 */
export function usePositionInAddress(route: ThreadRoute, lastRun: string | undefined): AddressedPosition {
  const { router } = useApp()
  const [store] = useState(() => createPositionStore(lastRun === undefined ? {} : fieldsOfRoute(route, lastRun)))
  const [link, setLink] = useState(route)
  const address = addressOf(route)
  /** The address that the position has, or had when it was read. */
  const settled = useRef<string>(undefined)
  const latestRun = useRef<string>(undefined)

  useEffect(() => {
    if (lastRun === undefined || settled.current === address) return
    settled.current = address
    store.restore(fieldsOfRoute(route, lastRun))
    setLink(route)
  }, [store, lastRun, address, route])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = () => {
      timer = undefined
      const next = routeOfPosition(route.threadId, store.snapshot(), latestRun.current)
      if (addressOf(next) === settled.current) return
      settled.current = addressOf(next)
      router.go(next, 'replace')
    }
    const schedule = () => {
      if (settled.current !== undefined) timer ??= setTimeout(write, REST_MS)
    }
    // A newer run has begun: an address without a run is now another one.
    if (lastRun !== undefined && lastRun !== latestRun.current) schedule()
    latestRun.current = lastRun
    const leave = store.subscribe(schedule)
    return () => {
      leave()
      clearTimeout(timer)
    }
  }, [store, router, lastRun, route.threadId])

  return { store, link }
}
