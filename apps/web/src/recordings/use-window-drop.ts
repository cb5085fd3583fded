import { useEffect, useRef, useState } from 'react'

/** Accepts files dropped anywhere on the window. Returns true while some are dragged over it. */
export function useWindowDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    /** A child is entered before its parent is left, so enters and leaves are counted. */
    let depth = 0
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const note = (change: number) => (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth + change)
      setIsOver(depth > 0)
    }
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setIsOver(false)
      // A part of the page may have taken the files.
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      latest.current([...(event.dataTransfer?.files ?? [])])
    }
    const listeners = { dragenter: note(1), dragleave: note(-1), dragover: over, drop } as const
    for (const [type, listener] of Object.entries(listeners)) addEventListener(type as 'drop', listener)
    return () => {
      for (const [type, listener] of Object.entries(listeners)) removeEventListener(type as 'drop', listener)
    }
  }, [])
  return isOver
}
