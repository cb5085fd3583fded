import type { Json } from '@millrace/core/json'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import type { EditableInput } from '../tools/editable.ts'
import { type ApprovalAnswer, useViewContext } from '../view-context.ts'

interface FormProps {
  readonly isSent: boolean
  readonly onCancel: () => void
  answer(answer: ApprovalAnswer): void
}

/** Escape leaves the form; no other key answers while something is written. */
function leaveOnEscape(onCancel: () => void) {
  return (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key !== 'Escape') return
    event.preventDefault()
    onCancel()
  }
}

/** Words to the agent that go with the refusal. */
export function DenyForm({ isSent, onCancel, answer }: FormProps) {
  const { labels } = useViewContext()
  const [words, setWords] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const message = words.trim()
    answer({ state: 'denied', ...(message !== '' && { message }) })
  }
  return (
    <form className="mr-answers" onSubmit={submit} onKeyDown={leaveOnEscape(onCancel)}>
      <input
        className="mr-field mr-words"
        aria-label={labels.denyWords}
        placeholder={labels.denyWords}
        value={words}
        // biome-ignore lint/a11y/noAutofocus: it replaces the button that was just pressed
        autoFocus
        onChange={(event) => setWords(event.target.value)}
      />
      <button type="button" className="mr-button" onClick={onCancel}>
        {labels.cancel}
      </button>
      <button type="submit" className="mr-button mr-primary" disabled={isSent}>
        {labels.denyAndSay}
      </button>
    </form>
  )
}

interface EditFormProps extends FormProps {
  readonly editable: EditableInput
  /** Further choices, beside the buttons. */
  readonly children: ReactNode
  /** Approves with this input; undefined if it was not changed. */
  approve(input: Json | undefined): void
}

/** The input of the call as a text. What is not valid is said at once and cannot be approved. */
export function EditForm({ editable, isSent, onCancel, approve, children }: Omit<EditFormProps, 'answer'>) {
  const { labels } = useViewContext()
  const [text, setText] = useState(editable.text)
  const problemId = useId()
  const found = editable.read(text)
  const problem = 'problem' in found ? found.problem : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!('problem' in found)) approve(text === editable.text ? undefined : found.input)
  }
  return (
    <form onSubmit={submit} onKeyDown={leaveOnEscape(onCancel)}>
      <div className="mr-well">
        <textarea
          className="mr-field mr-edited"
          aria-label={labels.changedInput}
          aria-invalid={problem !== undefined}
          aria-describedby={problemId}
          spellCheck={false}
          value={text}
          // biome-ignore lint/a11y/noAutofocus: it replaces the button that was just pressed
          autoFocus
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <p className="mr-problem" id={problemId} role="status">
        {problem !== undefined && labels.notJson(problem)}
      </p>
      <div className="mr-answers">
        {children}
        <button type="button" className="mr-button" onClick={onCancel}>
          {labels.cancel}
        </button>
        <button type="submit" className="mr-button mr-primary" disabled={isSent || problem !== undefined}>
          {text === editable.text ? labels.approve : labels.approveChanged}
        </button>
      </div>
    </form>
  )
}
