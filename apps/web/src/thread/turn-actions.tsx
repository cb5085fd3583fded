import type { ChatEvent } from '@millrace/core/fold'
import { CopyButton, runsOf, type Turn } from '@millrace/react'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { textOf } from './attempts.ts'

interface TurnActionsProps {
  readonly turn: Turn
  /** The address of an entry. */
  readonly linkTo: (runId: string, seq: number) => string
  readonly onRegenerate: ((runId: string) => void) | undefined
  /** Its other attempts. */
  readonly attempts: ReactNode
}

/** Below an answer: its attempts, and what can be done with it. */
export function TurnActions({ turn, linkTo, onRegenerate, attempts }: TurnActionsProps) {
  const answer = turn.events.filter(({ role, state }) => role !== 'user' && state !== 'retracted')
  const text = answer
    .map(({ segments }) => textOf(segments))
    .filter((each) => each !== '')
    .join('\n\n')
  const [first] = answer
  const [runId] = runsOf(turn)
  return (
    <>
      {attempts}
      {text !== '' && <CopyButton text={text} label="Copy answer" />}
      {first !== undefined && (
        <CopyButton text={linkTo(first.runId, first.seqs[0])} label="Copy link to this answer" icon="link" />
      )}
      {onRegenerate !== undefined && runId !== undefined && (
        <button
          type="button"
          className="mr-icon-button"
          aria-label="Regenerate"
          title="Regenerate: another attempt at this answer"
          onClick={() => onRegenerate(runId)}
        >
          <Icon name="retry" />
        </button>
      )}
    </>
  )
}

interface MessageActionsProps {
  readonly event: ChatEvent
  readonly linkTo: (runId: string, seq: number) => string
  readonly onEdit: ((event: ChatEvent) => void) | undefined
}

/** Beside a message of the user. */
export function MessageActions({ event, linkTo, onEdit }: MessageActionsProps) {
  const text = textOf(event.segments)
  return (
    <>
      {text !== '' && <CopyButton text={text} label="Copy message" />}
      {event.seqs[0] > 0 && (
        <CopyButton text={linkTo(event.runId, event.seqs[0])} label="Copy link to this message" icon="link" />
      )}
      {onEdit !== undefined && (
        <button
          type="button"
          className="mr-icon-button"
          aria-label="Edit"
          title="Edit: a new attempt begins with the changed message"
          onClick={() => onEdit(event)}
        >
          <Icon name="pencil" />
        </button>
      )}
    </>
  )
}
