import { useEffect } from 'react'
import { Icon } from '../icon.tsx'

interface BulkBarProps {
  readonly count: number
  readonly onExport: () => void
  readonly onDelete: () => void
  readonly onClear: () => void
}

/** What can be done with the selected runs. Escape selects none. */
export function BulkBar({ count, onExport, onDelete, onClear }: BulkBarProps) {
  useEffect(() => {
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && document.querySelector(':popover-open') === null) onClear()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onClear])
  return (
    <div className="bulk" role="toolbar" aria-label="Selected runs">
      <b role="status">{count} selected</b>
      <button type="button" className="mr-button button quiet" onClick={onExport}>
        <Icon name="export" />
        Export <kbd>e</kbd>
      </button>
      <span className="bulk-line" />
      <button type="button" className="mr-button button quiet" onClick={onDelete}>
        <Icon name="trash" />
        Delete
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Select none (Esc)"
        title="Select none (Esc)"
        onClick={onClear}
      >
        <Icon name="cross" />
      </button>
    </div>
  )
}
