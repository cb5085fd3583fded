import { Icon } from '../icon.tsx'
import { titleWithKey } from '../keys/key-caps.tsx'

interface TimeButtonProps {
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** Opens and closes the time dock. */
export function TimeButton({ isOpen, onToggle }: TimeButtonProps) {
  return (
    <button
      type="button"
      className="icon-button time-button"
      aria-label="Time dock"
      title={titleWithKey('Time dock', 'time-dock')}
      aria-pressed={isOpen}
      onClick={onToggle}
    >
      <Icon name="clock" />
    </button>
  )
}
