import { type RefObject, useEffect } from 'react'
import { useCommands } from '../keys/keys-context.tsx'
import { type PaneName, panes } from '../position/panes.ts'
import { usePositionPart, usePositionStore } from '../position/position-context.ts'

const LAST_PANE = 'millrace.pane'

/** The pane that was open last in this browser. */
export function lastPane(): PaneName {
  try {
    const stored = localStorage.getItem(LAST_PANE)
    return panes.find((name) => name === stored) ?? 'code'
  } catch {
    return 'code'
  }
}

function keepLastPane(pane: PaneName): void {
  try {
    localStorage.setItem(LAST_PANE, pane)
  } catch {
    // A browser that stores nothing opens the code.
  }
}

/** The keys of the panes, wherever the focus is. */
export function useWorkKeys(area: RefObject<HTMLElement | null>): void {
  const store = usePositionStore()
  const pane = usePositionPart((position) => position.pane)
  useEffect(() => {
    if (pane !== undefined) keepLastPane(pane)
  }, [pane])
  useCommands({
    panes: () => store.openPane(pane === undefined ? lastPane() : undefined),
    'pane-1': () => store.openPane(panes[0]),
    'pane-2': () => store.openPane(panes[1]),
    'pane-3': () => store.openPane(panes[2]),
    'pane-4': () => store.openPane(panes[3]),
    follow: pane === undefined ? undefined : () => store.follow(!store.snapshot().isFollowing),
    'next-region': () => focusNextRegion(area.current, 1),
    'previous-region': () => focusNextRegion(area.current, -1),
  })
}

/** The regions in the order of F6: the messages, the composer, the pane's tabs, its content. */
const REGIONS = '.mr-thread-scroll, .mr-composer textarea, .pane-tab[aria-selected="true"], .pane-body'

function focusNextRegion(area: HTMLElement | null, step: 1 | -1): boolean {
  const regions = [...(area?.querySelectorAll<HTMLElement>(REGIONS) ?? [])].filter((each) => each.offsetParent !== null)
  if (regions.length === 0) return false
  const current = regions.findLastIndex((region) => region.contains(document.activeElement))
  const next = current === -1 ? 0 : (current + step + regions.length) % regions.length
  regions[next]?.focus()
  return true
}
