import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** A thread follows its end within this distance, in pixels. */
const NEAR = 48

export interface Follow {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  /** The reader has left the end. */
  readonly isAway: boolean
  readonly toEnd: () => void
  /** Stops following the end. */
  readonly release: () => void
  /** Whether the end is kept in view, now. */
  readonly isFollowing: () => boolean
}

/** Keeps the end in view while the reader is there, and never scrolls otherwise. */
export function useFollow(): Follow {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const [isAway, setIsAway] = useState(false)

  const follow = useCallback((next: boolean) => {
    isFollowing.current = next
    setIsAway(!next)
  }, [])

  useLayoutEffect(() => {
    const box = scroller.current
    const inside = content.current
    if (box === null || inside === null) return
    let top = box.scrollTop
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) box.scrollTop = box.scrollHeight
    })
    const onScroll = () => {
      const isNear = box.scrollHeight - box.clientHeight - box.scrollTop <= NEAR
      // Growing content leaves the end too, but only the user scrolls up.
      if (isNear) follow(true)
      else if (box.scrollTop < top) follow(false)
      top = box.scrollTop
    }
    observer.observe(inside)
    observer.observe(box)
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', onScroll)
    }
  }, [follow])

  const toEnd = useCallback(() => {
    const box = scroller.current
    follow(true)
    box?.scrollTo({ top: box.scrollHeight })
  }, [follow])
  const release = useCallback(() => follow(false), [follow])

  const isFollowingNow = useCallback(() => isFollowing.current, [])

  return { scroller, content, isAway, toEnd, release, isFollowing: isFollowingNow }
}
