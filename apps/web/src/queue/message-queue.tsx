import { useEffect, useRef, useState } from 'react'
import { focusMain } from '../focus.ts'
import { Icon, type IconName } from '../icon.tsx'
import type { PendingMessage } from './pending-messages.ts'

interface MessageQueueProps {
  readonly pending: readonly PendingMessage[]
  readonly onTakeBack: (message: PendingMessage) => Promise<void>
  /** Writes the text of a dropped message into the composer. */
  readonly onReuse: (message: PendingMessage) => void
}

/** The messages that nobody has taken, above the composer, each with what will happen to it. */
export function MessageQueue({ pending, onTakeBack, onReuse }: MessageQueueProps) {
  const announcement = useAnnouncement(pending)
  return (
    <>
      <p className="mr-unseen" role="status">
        {announcement}
      </p>
      {pending.length > 0 && (
        <ul className="queue" aria-label="Messages that wait">
          {pending.map((message) => (
            <Row key={message.messageId} message={message} onTakeBack={onTakeBack} onReuse={onReuse} />
          ))}
        </ul>
      )}
    </>
  )
}

interface Face {
  readonly icon: IconName
  readonly label: string
  readonly note: string
}

function faceOf({ state, delivered }: PendingMessage): Face {
  const isNow = delivered === 'now'
  const faces: { readonly [State in PendingMessage['state']]: Face } = {
    sending: { icon: isNow ? 'bolt' : 'clock', label: isNow ? 'Steering' : 'Queued', note: 'sending…' },
    waiting: isNow
      ? { icon: 'bolt', label: 'Steering', note: 'sent to the agent, not read yet' }
      : { icon: 'clock', label: 'Queued', note: 'after this run' },
    moved: { icon: 'clock', label: 'Queued', note: 'the next run begins with it' },
    dropped: { icon: 'slash', label: 'Not read', note: 'the run ended first' },
  }
  return faces[state]
}

interface RowProps extends Omit<MessageQueueProps, 'pending'> {
  readonly message: PendingMessage
}

function Row({ message, onTakeBack, onReuse }: RowProps) {
  const { text, files = [], state } = message
  const { icon, label, note } = faceOf(message)
  const [isTakingBack, setIsTakingBack] = useState(false)
  const takeBack = async () => {
    setIsTakingBack(true)
    // The button goes with the message: the focus stays with the composer.
    focusMain()
    await onTakeBack(message)
    setIsTakingBack(false)
  }
  return (
    <li className={`queue-row queue-${state}`}>
      <Icon name={icon} />
      <span className="queue-label">{label}</span>
      <span className="queue-text mr-cut" title={text}>
        {text}
        {files.length > 0 && <span className="queue-files">{filesText(files.length, text !== '')}</span>}
      </span>
      <span className="queue-note">{isTakingBack ? 'taking back…' : note}</span>
      {state === 'waiting' && (
        <button
          type="button"
          className="mr-button button quiet"
          disabled={isTakingBack}
          onClick={() => void takeBack()}
        >
          Take back
        </button>
      )}
      {state === 'dropped' && text !== '' && (
        <button type="button" className="mr-button button quiet" onClick={() => onReuse(message)}>
          Write again
        </button>
      )}
    </li>
  )
}

const filesText = (count: number, hasText: boolean) =>
  `${hasText ? ' · ' : ''}${count === 1 ? '1 file' : `${count} files`}`

/** Announces what has become of a message since the page was opened, never what was there before. */
function useAnnouncement(pending: readonly PendingMessage[]): string {
  const [announcement, setAnnouncement] = useState('')
  const before = useRef<ReadonlyMap<string, PendingMessage['state']>>(undefined)
  useEffect(() => {
    const states = new Map(pending.map(({ messageId, state }) => [messageId, state]))
    const earlier = before.current
    before.current = states
    if (earlier === undefined) return
    const changed = pending.findLast(
      ({ messageId, state }) => state !== 'sending' && earlier.has(messageId) && earlier.get(messageId) !== state,
    )
    if (changed !== undefined) setAnnouncement(`${faceOf(changed).label}: ${faceOf(changed).note}`)
    else if (earlier.size > states.size) setAnnouncement('')
  }, [pending])
  return announcement
}
