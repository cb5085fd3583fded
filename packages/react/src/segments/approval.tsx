import type { FoldedApproval } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Elapsed } from '../elapsed.tsx'
import { Icon } from '../icon.tsx'
import { type EditableInput, offersSession } from '../tools/editable.ts'
import { type ApprovalAnswer, useViewContext } from '../view-context.ts'
import { DenyForm, EditForm } from './approval-forms.tsx'
import { type Act, actByKey, useAnswer } from './use-answer.ts'

interface ApprovalRequestProps {
  readonly approval: FoldedApproval
  readonly title: string
  readonly since: number
  /** The answers of a question that has some: their buttons replace approve and deny. */
  readonly choices?: readonly string[]
  /** The call's input, if the user may change it. */
  readonly editable?: EditableInput | undefined
  /** All of what the user approves: none of it may be cut off. */
  readonly children: ReactNode
}

type Mode = 'asking' | 'editing' | 'denying'

/** A question to the user, in amber. It is never collapsed and takes no focus itself; keys answer it while it is focused. */
export function ApprovalRequest({ approval, title, since, choices = [], editable, children }: ApprovalRequestProps) {
  const { approvalId, message } = approval
  const { labels, answerOptions = {} } = useViewContext()
  const { send, isSent, canAnswer } = useAnswer(approvalId)
  // The same call may ask another question: what was opened and checked belongs to this one.
  const [opened, setOpened] = useState<{ readonly approvalId: string; readonly mode: Mode }>()
  const mode = opened?.approvalId === approvalId ? opened.mode : 'asking'
  const setMode = (next: Mode) => setOpened({ approvalId, mode: next })
  const [rememberedFor, setRememberedFor] = useState<string>()
  const remembers = rememberedFor === approvalId
  const card = useRef<HTMLDivElement>(null)
  const focusCard = () => card.current?.focus({ preventScroll: true })
  const canSay = canAnswer && choices.length === 0 && answerOptions.canSay === true
  const canEdit = canAnswer && editable !== undefined && answerOptions.canEdit === true
  const canRemember = canAnswer && answerOptions.canRemember === true && offersSession(approval.request)
  const answer = (chosenAnswer: ApprovalAnswer) => {
    // The pressed button is disabled now and would lose the focus.
    focusCard()
    setMode('asking')
    void send(chosenAnswer)
  }
  const approve = (input?: Json) =>
    answer({
      state: 'approved',
      ...(canRemember && remembers && { remember: 'session' }),
      ...(input !== undefined && { input }),
    })
  const cancel = () => {
    focusCard()
    setMode('asking')
  }
  const acts: { readonly [act in Act]: (() => void) | undefined } = {
    approve: () => approve(),
    deny: () => answer({ state: 'denied' }),
    say: canSay ? () => setMode('denying') : undefined,
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = choices.length === 0 && mode === 'asking' ? actByKey(event, labels) : undefined
    if (act === undefined || acts[act] === undefined || !canAnswer || isSent) return
    event.preventDefault()
    acts[act]()
  }
  const remember = canRemember && (
    <label className="mr-remember">
      <input
        type="checkbox"
        checked={remembers}
        onChange={({ target }) => setRememberedFor(target.checked ? approvalId : undefined)}
      />
      {labels.rememberForSession}
    </label>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys answer the focused question
    <div ref={card} className="mr-card mr-asking" role="group" aria-label={title} tabIndex={0} onKeyDown={onKeyDown}>
      <div className="mr-head">
        <Icon name="ask" className="mr-glyph" />
        <span className="mr-label mr-strong">{title}</span>
        <span className="mr-end">
          <Elapsed since={since} label={labels.waitingFor} />
        </span>
      </div>
      {mode === 'editing' && editable !== undefined ? (
        <EditForm editable={editable} isSent={isSent} onCancel={cancel} approve={approve}>
          <span className="mr-why">{remember}</span>
        </EditForm>
      ) : (
        children
      )}
      {mode === 'denying' && <DenyForm isSent={isSent} onCancel={cancel} answer={answer} />}
      {mode === 'asking' && (
        <div className="mr-answers">
          <span className="mr-why">
            {message ?? labels.runWaits}
            {remember}
          </span>
          {canEdit && (
            <button type="button" className="mr-button" disabled={isSent} onClick={() => setMode('editing')}>
              {labels.edit}
            </button>
          )}
          {canSay && (
            <button type="button" className="mr-button" disabled={isSent} onClick={acts.say}>
              {labels.denyAndSay} <kbd>{labels.denyAndSayKey}</kbd>
            </button>
          )}
          {canAnswer && choices.length === 0 && <Buttons isSent={isSent} acts={acts} />}
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
      )}
    </div>
  )
}

interface ButtonsProps {
  readonly isSent: boolean
  readonly acts: { readonly [act in Act]: (() => void) | undefined }
}

function Buttons({ isSent, acts }: ButtonsProps) {
  const { labels } = useViewContext()
  return (
    <>
      <button type="button" className="mr-button" disabled={isSent} onClick={acts.deny}>
        {labels.deny} <kbd>{labels.denyKey}</kbd>
      </button>
      <button type="button" className="mr-button mr-primary" disabled={isSent} onClick={acts.approve}>
        {labels.approve} <kbd>{labels.approveKey}</kbd>
      </button>
    </>
  )
}
