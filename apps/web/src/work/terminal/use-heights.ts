import { useCallback, useEffect, useRef, useState } from 'react'

interface Heights {
  /** The heights of what has been drawn, by key. */
  readonly heights: ReadonlyMap<string, number>
  /** A ref that measures an element while it is drawn: the same function for the same key. */
  readonly measure: (key: string) => (element: HTMLElement | null) => void
}

/** The heights of elements that are drawn only while they are near what is visible. */
export function useHeights(): Heights {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const [watched] = useState(createWatched)
  useEffect(() => {
    const observer = new ResizeObserver((entries) => {
      const changes = entries.flatMap(({ target }) => {
        const key = watched.keyOf(target)
        return key === undefined ? [] : [[key, (target as HTMLElement).offsetHeight] as const]
      })
      setHeights((before) =>
        changes.every(([key, height]) => height === 0 || before.get(key) === height)
          ? before
          : new Map([...before, ...changes.filter(([, height]) => height > 0)]),
      )
    })
    watched.connect(observer)
    return () => observer.disconnect()
  }, [watched])
  const refs = useRef(new Map<string, (element: HTMLElement | null) => void>())
  const measure = useCallback(
    (key: string) => {
      const found = refs.current.get(key) ?? ((element: HTMLElement | null) => watched.set(key, element ?? undefined))
      refs.current.set(key, found)
      return found
    },
    [watched],
  )
  return { heights, measure }
}

function createWatched() {
  const elements = new Map<string, Element>()
  const keys = new WeakMap<Element, string>()
  let observer: ResizeObserver | undefined
  return {
    keyOf: (element: Element) => keys.get(element),
    set(key: string, element: Element | undefined) {
      const before = elements.get(key)
      if (before !== undefined) observer?.unobserve(before)
      elements.delete(key)
      if (element === undefined) return
      elements.set(key, element)
      keys.set(element, key)
      observer?.observe(element)
    },
    connect(next: ResizeObserver) {
      observer = next
      for (const element of elements.values()) next.observe(element)
    },
  }
}
