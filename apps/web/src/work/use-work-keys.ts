import { type RefObject, useEffect } from 'react'
import { isWriting } from '../focus.ts'
import { type PaneName, panes } from '../position/panes.ts'
import { usePositionStore } from '../position/position-context.ts'

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

/** ⌘J opens and closes the panes, `1` to `4` choose one, `v` changes to the timeline and back, `f` follows, F6 moves the focus to the next region. */
export function useWorkKeys(area: RefObject<HTMLElement | null>): void {
  const store = usePositionStore()
  useEffect(() => {
    let before = store.snapshot().pane
    const leave = store.subscribe(() => {
      const { pane } = store.snapshot()
      if (pane !== before && pane !== undefined) keepLastPane(pane)
      before = pane
    })
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      const { pane, isFollowing, view } = store.snapshot()
      const isCommand = event.metaKey || event.ctrlKey
      if (isCommand) {
        if (event.key.toLowerCase() !== 'j' || event.shiftKey) return
        store.openPane(pane === undefined ? lastPane() : undefined)
      } else if (event.key === 'F6') {
        if (!focusNextRegion(area.current, event.shiftKey)) return
      } else if (isWriting(event.target)) {
        return
      } else if (/^[1-4]$/.test(event.key)) {
        store.openPane(panes[Number(event.key) - 1])
      } else if (event.key === 'v') {
        store.show(view === 'chat' ? 'timeline' : 'chat')
      } else if (event.key === 'f' && pane !== undefined) {
        store.follow(!isFollowing)
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => {
      leave()
      removeEventListener('keydown', onKeyDown)
    }
  }, [store, area])
}

/** The regions in the order of F6: the messages, the composer, the pane's tabs, its content. */
const REGIONS = '.mr-thread-scroll, .mr-composer textarea, .pane-tab[aria-selected="true"], .pane-body'

function focusNextRegion(area: HTMLElement | null, isBackward: boolean): boolean {
  const regions = [...(area?.querySelectorAll<HTMLElement>(REGIONS) ?? [])].filter((each) => each.offsetParent !== null)
  if (regions.length === 0) return false
  const current = regions.findLastIndex((region) => region.contains(document.activeElement))
  const step = isBackward ? -1 : 1
  const next = current === -1 ? 0 : (current + step + regions.length) % regions.length
  regions[next]?.focus()
  return true
}
