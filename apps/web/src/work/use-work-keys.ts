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

/** The keys of the panes and of the view, wherever the focus is. */
export function useWorkKeys(area: RefObject<HTMLElement | null>): void {
  const store = usePositionStore()
  const pane = usePositionPart((position) => position.pane)
  useEffect(() => {
    if (pane !== undefined) keepLastPane(pane)
  }, [pane])
  // A pane is beside the chat.
  const show = (next: PaneName | undefined) => {
    store.openPane(next)
    store.show('chat')
  }
  useCommands({
    panes: () => show(pane === undefined || store.snapshot().view === 'timeline' ? lastPane() : undefined),
    view: () => store.show(store.snapshot().view === 'chat' ? 'timeline' : 'chat'),
    'pane-1': () => show(panes[0]),
    'pane-2': () => show(panes[1]),
    'pane-3': () => show(panes[2]),
    'pane-4': () => show(panes[3]),
    follow: pane === undefined ? undefined : () => store.follow(!store.snapshot().isFollowing),
    'next-region': () => focusNextRegion(area.current, 1),
    'previous-region': () => focusNextRegion(area.current, -1),
  })
}

/** The regions in the order of F6: the messages, the composer, the pane's tabs, its content; or the rows of the timeline. */
const REGIONS = '.mr-thread-scroll, .mr-composer textarea, .pane-tab[aria-selected="true"], .pane-body, .tl-rows'

function focusNextRegion(area: HTMLElement | null, step: 1 | -1): boolean {
  const regions = [...(area?.querySelectorAll<HTMLElement>(REGIONS) ?? [])].filter((each) => each.offsetParent !== null)
  if (regions.length === 0) return false
  const current = regions.findLastIndex((region) => region.contains(document.activeElement))
  const next = current === -1 ? 0 : (current + step + regions.length) % regions.length
  regions[next]?.focus()
  return true
}
