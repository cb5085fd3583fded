import type { FoldedApproval } from '@millrace/core/fold'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Elapsed } from '../elapsed.tsx'
import { Icon } from '../icon.tsx'
import type { Labels } from '../labels.ts'
import { type ApprovalAnswer, useViewContext } from '../view-context.ts'

interface ApprovalRequestProps {
  readonly approval: FoldedApproval
  readonly title: string
  readonly since: number
  /** The answers of a question that has some: their buttons replace approve and deny. */
  readonly choices?: readonly string[]
  /** All of what the user approves: none of it may be cut off. */
  readonly children: ReactNode
}

/** A question to the user, in amber. It is never collapsed and takes no focus itself; two keys answer it while it is focused. */
export function ApprovalRequest({ approval, title, since, choices = [], children }: ApprovalRequestProps) {
  const { approvalId, message } = approval
  const { labels } = useViewContext()
  const { send, isSent, canAnswer } = useAnswer(approvalId)
  const card = useRef<HTMLDivElement>(null)
  const answer = (chosenAnswer: ApprovalAnswer) => {
    // The pressed button is disabled now and would lose the focus.
    card.current?.focus({ preventScroll: true })
    void send(chosenAnswer)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = choices.length === 0 && !event.repeat && !event.metaKey && !event.ctrlKey && !event.altKey
    const chosenAnswer = isPlain ? answerByKey(event.key, labels) : undefined
    if (chosenAnswer === undefined || !canAnswer || isSent) return
    event.preventDefault()
    answer(chosenAnswer)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: two keys answer the focused question
    <div ref={card} className="mr-card mr-asking" role="group" aria-label={title} tabIndex={0} onKeyDown={onKeyDown}>
      <div className="mr-head">
        <Icon name="ask" className="mr-glyph" />
        <span className="mr-label mr-strong">{title}</span>
        <span className="mr-end">
          <Elapsed since={since} label={labels.waitingFor} />
        </span>
      </div>
      {children}
      <div className="mr-answers">
        <span className="mr-why">{message ?? labels.runWaits}</span>
        {canAnswer && choices.length === 0 && <Buttons isSent={isSent} answer={answer} />}
        {canAnswer &&
          choices.map((choice) => (
            <button
              key={choice}
              type="button"
              className="mr-button"
              disabled={isSent}
              onClick={() => answer({ state: 'answered', answer: choice })}
            >
              {choice}
            </button>
          ))}
      </div>
    </div>
  )
}

function answerByKey(key: string, { approveKey, denyKey }: Labels): ApprovalAnswer | undefined {
  const pressed = key.toLowerCase()
  if (pressed === denyKey.toLowerCase()) return { state: 'denied' }
  return pressed === approveKey.toLowerCase() ? { state: 'approved' } : undefined
}

interface ButtonsProps {
  readonly isSent: boolean
  answer(answer: ApprovalAnswer): void
}

function Buttons({ isSent, answer }: ButtonsProps) {
  const { labels } = useViewContext()
  return (
    <>
      <button type="button" className="mr-button" disabled={isSent} onClick={() => answer({ state: 'denied' })}>
        {labels.deny} <kbd>{labels.denyKey}</kbd>
      </button>
      <button
        type="button"
        className="mr-button mr-primary"
        disabled={isSent}
        onClick={() => answer({ state: 'approved' })}
      >
        {labels.approve} <kbd>{labels.approveKey}</kbd>
      </button>
    </>
  )
}

/** One answer per question: the buttons are disabled until the log holds the answer or the host fails to send it. */
function useAnswer(approvalId: string) {
  const { onAnswer, isOver } = useViewContext()
  const [sentFor, setSentFor] = useState<string>()
  const send = async (chosenAnswer: ApprovalAnswer) => {
    setSentFor(approvalId)
    try {
      await onAnswer?.(approvalId, chosenAnswer)
    } catch {
      // By now the same call may ask another question, whose answer is on its way.
      setSentFor((sent) => (sent === approvalId ? undefined : sent))
    }
  }
  return { send, isSent: sentFor === approvalId, canAnswer: onAnswer !== undefined && !isOver }
}
