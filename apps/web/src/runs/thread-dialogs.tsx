import type { LastRun, ListedThread } from '@millrace/core/client'
import { englishLabels, titleOf } from '@millrace/react'
import { Dialog } from '../dialog.tsx'

/** What a question says about a thread. */
type AskedThread = Pick<ListedThread, 'id' | 'title'> & { readonly lastRun?: Pick<LastRun, 'state' | 'format'> }

interface DeleteDialogProps {
  readonly threads: readonly AskedThread[]
  readonly onDelete: (threads: readonly AskedThread[]) => void
  readonly onClose: () => void
}

export function DeleteDialog({ threads, onDelete, onClose }: DeleteDialogProps) {
  const [first] = threads
  const isOne = threads.length === 1 && first !== undefined
  const live = threads.filter(({ lastRun }) => lastRun !== undefined && lastRun.state !== 'ended').length
  return (
    <Dialog
      title={isOne ? `Delete “${nameOf(first)}”?` : `Delete ${threads.length} threads?`}
      action="Delete"
      isDangerous
      onAct={() => onDelete(threads)}
      onClose={onClose}
    >
      <p>
        The log forgets {isOne ? 'it' : 'them'}, with all entries, raw records and files that only{' '}
        {isOne ? 'it names' : 'they name'}. This cannot be undone; an export made before can be imported again.
      </p>
      {live > 0 && <p>{isOne ? 'Its run is' : `${live} of their runs are`} still live, and will be stopped.</p>}
    </Dialog>
  )
}

interface RenameDialogProps {
  readonly thread: AskedThread
  readonly onRename: (title: string) => void
  readonly onClose: () => void
}

const FIELD = 'title'

export function RenameDialog({ thread, onRename, onClose }: RenameDialogProps) {
  const before = nameOf(thread)
  const rename = (form: FormData) => {
    const title = String(form.get(FIELD)).trim()
    if (title !== '' && title !== before) onRename(title)
  }
  return (
    <Dialog title="Rename the thread" action="Rename" onAct={rename} onClose={onClose}>
      <input
        className="dialog-field"
        name={FIELD}
        aria-label="Title of the thread"
        defaultValue={before}
        maxLength={200}
        autoFocus
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  )
}

const nameOf = ({ title, lastRun }: AskedThread) => titleOf(title, lastRun?.format, englishLabels)
