import { useEffect, useRef, useState } from 'react'
import { focusMain } from '../focus.ts'
import { Icon, type IconName } from '../icon.tsx'
import { seqText } from '../words/numbers.ts'
import type { PendingMessage } from './pending-messages.ts'

interface MessageQueueProps {
  readonly pending: readonly PendingMessage[]
  readonly onTakeBack: (message: PendingMessage) => Promise<void>
  /** Writes the text of a dropped message into the composer. */
  readonly onReuse: (message: PendingMessage) => void
  /** Gives a message that waits for the next run to the agent that runs; undefined: it reads none. */
  readonly onSteer?: ((message: PendingMessage) => Promise<void>) | undefined
  /** What the live agent has read last. */
  readonly steered?: SteeredNote | undefined
}

/** A message that the agent has read while it ran, and the entry at which it did. */
interface SteeredNote {
  readonly text: string
  readonly seq: number
}

/** The messages that nobody has taken, above the composer, each with what will happen to it. */
export function MessageQueue({ pending, steered, ...acts }: MessageQueueProps) {
  const announcement = useAnnouncement(pending)
  return (
    <>
      <p className="mr-unseen" role="status">
        {announcement}
      </p>
      {(pending.length > 0 || steered !== undefined) && (
        <ul className="queue" aria-label="Messages that wait">
          {steered !== undefined && <Steered {...steered} />}
          {pending.map((message) => (
            <Row key={message.messageId} message={message} number={numberOf(message, pending)} {...acts} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Its place among the messages that wait for the next run; 0 for any other. */
function numberOf(message: PendingMessage, pending: readonly PendingMessage[]): number {
  return pending.filter(isQueued).indexOf(message) + 1
}

const isQueued = ({ state, delivered }: PendingMessage) =>
  delivered === 'next' && (state === 'waiting' || state === 'sending')

function Steered({ text, seq }: SteeredNote) {
  return (
    <li className="queue-row queue-taken">
      <Icon name="arrow-down" />
      <span className="queue-label">Steered</span>
      <span className="queue-text mr-cut" title={text}>
        {text}
      </span>
      <span className="queue-note">taken at {seqText(seq)}</span>
    </li>
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

interface RowProps extends Omit<MessageQueueProps, 'pending' | 'steered'> {
  readonly message: PendingMessage
  /** Among the queued ones; 0 for any other. */
  readonly number: number
}

function Row({ message, number, onTakeBack, onReuse, onSteer }: RowProps) {
  const { text, files = [], state } = message
  const { icon, label, note } = faceOf(message)
  const [doing, setDoing] = useState<string>()
  const act = async (words: string, work: (message: PendingMessage) => Promise<void>) => {
    setDoing(words)
    // The button goes with the message: the focus stays with the composer.
    focusMain()
    await work(message)
    setDoing(undefined)
  }
  const takeBack = () => void act('taking back…', onTakeBack)
  return (
    <li className={`queue-row queue-${state}`}>
      <Icon name={icon} />
      <span className="queue-label">{number === 0 ? label : `${label} ${number}`}</span>
      <span className="queue-text mr-cut" title={text}>
        {text}
        {files.length > 0 && <span className="queue-files">{filesText(files.length, text !== '')}</span>}
      </span>
      <span className="queue-note">{doing ?? note}</span>
      {state === 'waiting' && number > 0 && onSteer !== undefined && (
        <button
          type="button"
          className="mr-button button quiet"
          disabled={doing !== undefined}
          onClick={() => void act('steering…', onSteer)}
        >
          Steer now
        </button>
      )}
      {state === 'waiting' && number > 0 && (
        <button
          type="button"
          className="icon-button"
          aria-label="Take back"
          title="Take back"
          disabled={doing !== undefined}
          onClick={takeBack}
        >
          <Icon name="cross" />
        </button>
      )}
      {state === 'waiting' && number === 0 && (
        <button type="button" className="mr-button button quiet" disabled={doing !== undefined} onClick={takeBack}>
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
