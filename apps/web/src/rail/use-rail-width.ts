import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import { useCommands } from '../keys/keys-context.tsx'

/** Absent: the rail is slim while the panes are open. */
type RailWidth = 'slim' | 'wide' | undefined

/** A rail that is narrower than this is slim, in pixels. */
const SLIM = 100

/** ⌘B, and a button, make the rail slim or wide. Until then it makes room for the panes by itself. */
export function useRailWidth(): { readonly width: RailWidth; readonly toggle: () => void; readonly widen: () => void } {
  const [width, setWidth] = useState<RailWidth>()
  const toggle = useCallback(() => setWidth(isSlim() ? 'wide' : 'slim'), [])
  // What is focused next must be in the page.
  const widen = useCallback(() => isSlim() && flushSync(() => setWidth('wide')), [])
  useCommands({ rail: toggle })
  return { width, toggle, widen }
}

const isSlim = () => (document.querySelector<HTMLElement>('.rail')?.offsetWidth ?? SLIM) < SLIM
