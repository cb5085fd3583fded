import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { type Unsent, useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { isComposing } from '../keys.ts'
import { troubleText } from '../trouble.ts'
import { AgentPicker } from './agent-picker.tsx'

interface ComposerProps {
  readonly agent: string
  readonly onAgent: (name: string) => void
  readonly placeholder: string
  /** Rejects if the message could not be sent; then the text is restored. */
  readonly onSend: (text: string) => Promise<void>
  /** A run is live: the next message waits until it has ended. */
  readonly isBusy: boolean
  /** A message that was to be sent elsewhere, and is restored here. */
  readonly unsent?: Unsent | undefined
  /** The button that stops the run. */
  readonly stop?: ReactNode
}

export function Composer({ agent, onAgent, placeholder, onSend, isBusy, unsent, stop }: ComposerProps) {
  const { agents = [] } = useApp()
  const [text, setText] = useState('')
  const [trouble, setTrouble] = useState<string>()
  const [restored, setRestored] = useState<Unsent>()
  const field = useId()
  const canSend = !isBusy && text.trim() !== '' && agent !== ''

  /** What was typed meanwhile stays. */
  function restore(message: string, reason: string): void {
    setText((typed) => (typed === '' ? message : typed))
    setTrouble(reason)
  }
  if (unsent !== restored) {
    setRestored(unsent)
    if (unsent !== undefined) restore(unsent.text, unsent.trouble)
  }

  async function send(): Promise<void> {
    if (!canSend) return
    setText('')
    setTrouble(undefined)
    try {
      await onSend(text.trim())
    } catch (error) {
      restore(text, troubleText(error))
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a composed character, and then must not send.
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    void send()
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {trouble !== undefined && (
        <p className="composer-trouble" role="alert">
          Not sent. {trouble}
        </p>
      )}
      <label className="mr-unseen" htmlFor={field}>
        Message
      </label>
      <textarea
        id={field}
        rows={1}
        value={text}
        placeholder={placeholder}
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="composer-row">
        <AgentPicker agents={agents} value={agent} onChoose={onAgent} />
        <span className="composer-end">
          {stop}
          <button
            type="submit"
            className="mr-button button mr-primary square"
            aria-label="Send"
            title="Send (Enter)"
            disabled={!canSend}
          >
            <Icon name="arrow-up" />
          </button>
        </span>
      </div>
    </form>
  )
}
