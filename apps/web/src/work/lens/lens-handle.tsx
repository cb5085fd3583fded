import { type RefObject, useEffect, useState } from 'react'
import { Icon } from '../../icon.tsx'
import { titleWithKey } from '../../keys/key-caps.tsx'
import { usePositionStore } from '../../position/position-context.ts'
import type { Selection } from '../../position/position-store.ts'

interface LensHandleProps {
  readonly chat: RefObject<HTMLElement | null>
  readonly pieceBelow: (target: EventTarget) => Selection | undefined
}

interface Shown {
  readonly piece: Selection
  readonly top: number
  readonly right: number
}

/** How far it reaches over the upper edge of a piece, in pixels. */
const OVER = 18
const WIDTH = 26

/** The way from the piece below the pointer, or below a finger, to the lens. One for all pieces: the chat draws none of it. */
export function LensHandle({ chat, pieceBelow }: LensHandleProps) {
  const store = usePositionStore()
  const [shown, setShown] = useState<Shown>()
  useEffect(() => {
    const box = chat.current
    if (box === null) return
    const show = ({ target }: Event) => {
      if ((target as Element).closest('.lens-handle') !== null) return
      const element = (target as Element).closest('.mr-thread-scroll [data-seqs]')
      const piece = element === null ? undefined : pieceBelow(element)
      if (element === null || piece === undefined) return setShown(undefined)
      const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()]
      // A message of a person has its own actions at the right.
      const isQuestion = element.closest('.mr-user-box') !== null
      const right = isQuestion ? outer.right - inner.left - WIDTH : outer.right - inner.right + 8
      setShown({ piece, top: Math.max(4, inner.top - outer.top - OVER), right })
    }
    const hide = () => setShown(undefined)
    box.addEventListener('pointerover', show)
    box.addEventListener('pointerleave', hide)
    box.addEventListener('scroll', hide, true)
    return () => {
      box.removeEventListener('pointerover', show)
      box.removeEventListener('pointerleave', hide)
      box.removeEventListener('scroll', hide, true)
    }
  }, [chat, pieceBelow])
  if (shown === undefined) return undefined
  return (
    <button
      type="button"
      className="lens-handle"
      aria-label="Where this came from"
      title={titleWithKey('Where this came from', 'lens')}
      style={{ top: shown.top, right: shown.right }}
      tabIndex={-1}
      onClick={() => {
        store.select(shown.piece)
        store.openPane('lens')
        setShown(undefined)
      }}
    >
      <Icon name="lens" />
    </button>
  )
}
