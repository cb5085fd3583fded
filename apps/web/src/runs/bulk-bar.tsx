import { Icon } from '../icon.tsx'
import { useCommands } from '../keys/keys-context.tsx'

interface BulkBarProps {
  readonly count: number
  readonly onExport: () => void
  readonly onDelete: () => void
  readonly onClear: () => void
}

/** What can be done with the selected runs. Escape selects none. */
export function BulkBar({ count, onExport, onDelete, onClear }: BulkBarProps) {
  useCommands({ back: onClear })
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
