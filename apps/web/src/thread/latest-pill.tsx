import { Icon } from '../icon.tsx'

interface LatestPillProps {
  readonly newPieces: number
  readonly isAsked: boolean
  readonly onClick: () => void
}

/** The way back to the end, and what waits there. */
export function LatestPill({ newPieces, isAsked, onClick }: LatestPillProps) {
  return (
    <button type="button" className={`mr-button pill${isAsked ? ' pill-asks' : ''}`} onClick={onClick}>
      {isAsked && <Icon name="ask" />}
      {isAsked ? 'Approval waiting' : 'Latest'}
      {newPieces > 0 && <span className="pill-count">· {newPieces} new</span>}
      <Icon name="arrow-down" />
    </button>
  )
}
