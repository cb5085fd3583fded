import { useCallback, useState } from 'react'

/** The part of the width that the panes have until somebody moves the divider. */
export const USUAL_SHARE = 0.55

/** The least widths of both sides, in pixels. */
const LEAST_CHAT = 440
const LEAST_PANES = 420

const SNAPS = [0.4, 0.5, 0.6]
const SNAP_WITHIN = 8

/** The share of panes that are so many pixels wide, between the least widths of both sides, and at a snap if one is near. */
export function shareOf(width: number, total: number, snaps: boolean): number {
  const snap = snaps ? SNAPS.find((share) => Math.abs(share * total - width) <= SNAP_WITHIN) : undefined
  const wanted = snap === undefined ? width : snap * total
  return Math.max(LEAST_PANES, Math.min(wanted, total - LEAST_CHAT)) / total
}

const KEY = 'millrace.panes'

/** The share of the panes, kept in this browser. */
export function usePaneShare(): readonly [share: number, change: (share: number) => void] {
  const [share, setShare] = useState(storedShare)
  const change = useCallback((next: number) => {
    setShare(next)
    try {
      localStorage.setItem(KEY, String(next))
    } catch {
      // A browser that stores nothing forgets the width.
    }
  }, [])
  return [share, change]
}

function storedShare(): number {
  try {
    const stored = Number(localStorage.getItem(KEY))
    return stored > 0 && stored < 1 ? stored : USUAL_SHARE
  } catch {
    return USUAL_SHARE
  }
}
