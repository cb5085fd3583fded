import { useCallback, useMemo, useRef, useState } from 'react'

export interface RunSelection {
  readonly ids: ReadonlySet<string>
  /** Selects a thread or no longer. `order` is that of the rows if all between it and the one before it are meant. */
  readonly toggle: (id: string, order: readonly string[]) => void
  readonly addAll: (ids: readonly string[]) => void
  readonly clear: () => void
}

const NONE: ReadonlySet<string> = new Set()

export function useSelection(): RunSelection {
  const [ids, setIds] = useState(NONE)
  const last = useRef<string>(undefined)
  const toggle = useCallback((id: string, order: readonly string[]) => {
    const [from, to] = [last.current === undefined ? -1 : order.indexOf(last.current), order.indexOf(id)].sort(
      (a, b) => a - b,
    )
    const range = from === undefined || from < 0 || to === undefined ? [id] : order.slice(from, to + 1)
    last.current = id
    setIds((before) => {
      if (!before.has(id)) return new Set([...before, ...range])
      return new Set([...before].filter((each) => each !== id))
    })
  }, [])
  const addAll = useCallback((all: readonly string[]) => setIds((before) => new Set([...before, ...all])), [])
  const clear = useCallback(() => setIds(NONE), [])
  return useMemo(() => ({ ids, toggle, addAll, clear }), [ids, toggle, addAll, clear])
}
