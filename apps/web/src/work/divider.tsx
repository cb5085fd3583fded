import { type PointerEvent, type RefObject, useRef } from 'react'
import { useCommands } from '../keys/keys-context.tsx'
import { shareOf, USUAL_SHARE } from './pane-width.ts'

interface DividerProps {
  /** What the divider divides: the chat at its left, the panes at its right. */
  readonly area: RefObject<HTMLElement | null>
  /** The part of the area's width that the panes have. */
  readonly share: number
  readonly onChange: (share: number) => void
}

/** How far an arrow key moves it, in pixels. */
const STEP = 16

/** Divides the chat and the panes. It is dragged, moved by the arrow keys, and reset by a double click. */
export function Divider({ area, share, onChange }: DividerProps) {
  const divider = useRef<HTMLDivElement>(null)
  const moveTo = (x: number, snaps: boolean) => {
    const frame = area.current?.getBoundingClientRect()
    if (frame !== undefined) onChange(shareOf(frame.right - x, frame.width, snaps))
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.focus()
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(event.clientX, !event.altKey)
  }
  const leftEdge = () => divider.current?.getBoundingClientRect().left ?? 0
  useCommands(
    {
      'wider-panes': () => moveTo(leftEdge() - STEP, false),
      'narrower-panes': () => moveTo(leftEdge() + STEP, false),
      'usual-panes': () => onChange(USUAL_SHARE),
    },
    divider,
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      ref={divider}
      className="divider"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panes"
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={`${Math.round(share * 100)} percent`}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDoubleClick={() => onChange(USUAL_SHARE)}
    />
  )
}
