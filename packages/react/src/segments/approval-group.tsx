import type { ToolSegment } from '@millrace/core/fold'
import { type KeyboardEvent, useRef, useState, useSyncExternalStore } from 'react'
import { Elapsed } from '../elapsed.tsx'
import { Icon } from '../icon.tsx'
import { countText } from '../numbers.ts'
import { offersSession } from '../tools/editable.ts'
import { type ApprovalAnswer, useViewContext } from '../view-context.ts'
import { Tool } from './tool.tsx'
import { ToolRequest } from './tool-body.tsx'
import { actByKey } from './use-answer.ts'

/** Calls of one tool that ask at the same time: one answer for all of them, or one for each. */
export function ApprovalGroup({ tools }: { readonly tools: readonly ToolSegment[] }) {
  const { onAnswer, isOver } = useViewContext()
  const { isApart, setApart } = useApart(tools)
  if (!isApart && onAnswer !== undefined && !isOver) {
    return <ApprovalOfAll tools={tools} onAnswer={onAnswer} onApart={setApart} />
  }
  return (
    <div className="mr-asked-apart">
      {tools.map((tool) => (
        <div key={tool.callId} data-seqs={tool.seqs.join('-')}>
          <Tool segment={tool} />
        </div>
      ))}
    </div>
  )
}

/** Whether each is answered by itself: those that are left when one was answered, too. */
function useApart(tools: readonly ToolSegment[]) {
  const { toggles, scope } = useViewContext()
  const keys = tools.map(({ callId }) => `${scope}:apart-${callId}`)
  const read = () => keys.some((key) => toggles.get(key) === true)
  const isApart = useSyncExternalStore(toggles.subscribe, read, read)
  const setApart = () => {
    for (const key of keys) toggles.set(key, true)
  }
  return { isApart, setApart }
}

interface ApprovalOfAllProps {
  readonly tools: readonly ToolSegment[]
  readonly onAnswer: (approvalId: string, answer: ApprovalAnswer) => unknown
  readonly onApart: () => void
}

function ApprovalOfAll({ tools, onAnswer, onApart }: ApprovalOfAllProps) {
  const { labels, answerOptions = {} } = useViewContext()
  const [isSent, setIsSent] = useState(false)
  const [remembers, setRemembers] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const asked = tools.flatMap(({ approval }) => approval ?? [])
  const canRemember = answerOptions.canRemember === true && asked.every(({ request }) => offersSession(request))
  const title = countText(tools.length, labels.approveCalls, labels)
  const reasons = new Set(asked.map(({ message }) => message ?? ''))
  const answerAll = async (answer: ApprovalAnswer) => {
    // The pressed button is disabled now and would lose the focus.
    card.current?.focus({ preventScroll: true })
    setIsSent(true)
    const answers = asked.map(async ({ approvalId }) => onAnswer(approvalId, answer))
    const results = await Promise.allSettled(answers)
    if (results.some(({ status }) => status === 'rejected')) setIsSent(false)
  }
  const deny = () => void answerAll({ state: 'denied' })
  const approve = () => void answerAll({ state: 'approved', ...(canRemember && remembers && { remember: 'session' }) })
  const onKeyDown = (event: KeyboardEvent) => {
    const act = isSent ? undefined : actByKey(event, labels)
    if (act === undefined || act === 'say') return
    event.preventDefault()
    if (act === 'approve') approve()
    else deny()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys answer the focused question
    <div ref={card} className="mr-card mr-asking" role="group" aria-label={title} tabIndex={0} onKeyDown={onKeyDown}>
      <div className="mr-head">
        <Icon name="ask" className="mr-glyph" />
        <span className="mr-label mr-strong">{title}</span>
        <span className="mr-why-short mr-cut">{labels.sameTool(tools[0]?.title ?? tools[0]?.name ?? '')}</span>
        <span className="mr-end">
          <Elapsed since={tools[0]?.startedAt ?? 0} label={labels.waitingFor} />
        </span>
      </div>
      <ol className="mr-asked">
        {tools.map((tool) => (
          <li key={tool.callId} data-seqs={tool.seqs.join('-')}>
            <ToolRequest segment={tool} />
          </li>
        ))}
      </ol>
      <div className="mr-answers">
        <span className="mr-why">
          {reasons.size === 1 && [...reasons][0]}
          {canRemember && (
            <label className="mr-remember">
              <input type="checkbox" checked={remembers} onChange={({ target }) => setRemembers(target.checked)} />
              {labels.rememberForSession}
            </label>
          )}
        </span>
        <button type="button" className="mr-button" disabled={isSent} onClick={onApart}>
          {labels.oneByOne}
        </button>
        <button type="button" className="mr-button" disabled={isSent} onClick={deny}>
          {labels.deny} <kbd>{labels.denyKey}</kbd>
        </button>
        <button type="button" className="mr-button mr-primary" disabled={isSent} onClick={approve}>
          {countText(tools.length, labels.approveAll, labels)} <kbd>{labels.approveKey}</kbd>
        </button>
      </div>
    </div>
  )
}
