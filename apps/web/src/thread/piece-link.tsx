import { CopyButton } from '@millrace/react'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'

interface PieceLinkProps {
  readonly chat: RefObject<HTMLElement | null>
  readonly linkTo: (runId: string, seq: number) => string
}

interface Pointed {
  readonly runId: string
  readonly seq: number
  /** From the top of the chat. */
  readonly top: number
  readonly left: number
}

/** One button for all pieces: it stands beside the piece under the pointer. Keys copy links, too, so it takes no place among the tabs. */
export function PieceLink({ chat, linkTo }: PieceLinkProps): ReactNode {
  const [pointed, setPointed] = useState<Pointed>()
  useEffect(() => {
    const area = chat.current
    if (area === null) return
    const point = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || target.closest('.piece-link') !== null) return
      setPointed(pointedAt(target, area))
    }
    const leave = () => setPointed(undefined)
    area.addEventListener('pointerover', point)
    area.addEventListener('pointerleave', leave)
    area.addEventListener('scroll', leave, { capture: true, passive: true })
    return () => {
      area.removeEventListener('pointerover', point)
      area.removeEventListener('pointerleave', leave)
      area.removeEventListener('scroll', leave, { capture: true })
    }
  }, [chat])
  if (pointed === undefined) return undefined
  const { runId, seq, top, left } = pointed
  return (
    <span className="piece-link" style={{ top, left }}>
      <CopyButton key={`${runId} ${seq}`} text={linkTo(runId, seq)} label={`Copy link to #${seq}`} icon="link" />
    </span>
  )
}

/** A message of the user has its own button. */
function pointedAt(target: Element, area: Element): Pointed | undefined {
  const inner = target.closest<HTMLElement>('[data-seqs]')
  const piece = target.closest<HTMLElement>('.mr-piece[data-run]')
  const runId = piece?.dataset.run
  if (inner === null || piece === null || runId === undefined || piece.querySelector('.mr-user-box') !== null) return
  const [seq = 0] = (inner.dataset.seqs ?? '').split('-').map(Number)
  const [box, frame] = [inner.getBoundingClientRect(), area.getBoundingClientRect()]
  const right = piece.getBoundingClientRect().right
  return seq > 0 ? { runId, seq, top: box.top - frame.top + 6, left: right - frame.left } : undefined
}
