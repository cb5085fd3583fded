import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { type Unsent, useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { isComposing } from '../keys.ts'
import { troubleText } from '../trouble.ts'
import { AgentPicker } from './agent-picker.tsx'
import { AttachButton, AttachmentStrip } from './attachment-strip.tsx'
import { DeliverySwitch } from './delivery-switch.tsx'
import { type Delivery, type Draft, deliveryOf, type LiveRun } from './draft.ts'
import { type Attachments, useAttachments } from './use-attachments.ts'

interface ComposerProps {
  readonly agent: string
  readonly onAgent: (name: string) => void
  readonly placeholder: string
  /** Rejects if the message could not be sent; then it is restored. */
  readonly onSend: (draft: Draft, delivery: Delivery) => Promise<void>
  /** The run that is live: a message goes to it, or waits until it has ended. */
  readonly live?: LiveRun | undefined
  /** The previous message is on its way: the next one cannot be sent yet. */
  readonly isBlocked?: boolean
  /** A message that was to be sent elsewhere, and is restored here. */
  readonly unsent?: Unsent | undefined
  /** The button that stops the run. */
  readonly stop?: ReactNode
}

export function Composer(props: ComposerProps) {
  const { agent, onAgent, placeholder, onSend, live, isBlocked = false, unsent, stop } = props
  const { agents = [] } = useApp()
  const attachments = useAttachments()
  const [text, setText] = useState('')
  const [trouble, setTrouble] = useState<string>()
  const [restored, setRestored] = useState<Unsent>()
  const [preferred, setPreferred] = useState<'now' | 'next'>('now')
  const field = useId()
  const files = attachments.all.flatMap(({ file }) => (file === undefined ? [] : [file]))
  const isUploaded = files.length === attachments.all.length
  const hasContent = text.trim() !== '' || files.length > 0
  const canSend = !isBlocked && isUploaded && hasContent && (agent !== '' || live !== undefined)

  /** What was typed meanwhile stays. */
  function restore(message: string, reason: string | undefined): void {
    setText((typed) => (typed === '' ? message : typed))
    setTrouble(reason)
  }
  if (unsent !== restored) {
    setRestored(unsent)
    if (unsent !== undefined) {
      restore(unsent.text, unsent.trouble)
      attachments.restore(unsent.files ?? [])
    }
  }

  async function send(isOther: boolean): Promise<void> {
    if (!canSend) return
    const putFilesBack = attachments.takeAll()
    setText('')
    setTrouble(undefined)
    try {
      await onSend({ text: text.trim(), files }, deliveryOf(live, preferred, isOther))
    } catch (error) {
      putFilesBack()
      restore(text, troubleText(error))
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a composed character, and then must not send.
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    void send(event.metaKey || event.ctrlKey)
  }
  const isOver = useFileDrop(attachments)

  return (
    <form
      className={`composer${isOver.value ? ' composer-over' : ''}`}
      {...isOver.handlers}
      onSubmit={(event) => {
        event.preventDefault()
        void send(false)
      }}
    >
      {trouble !== undefined && (
        <p className="composer-trouble" role="alert">
          Not sent. {trouble}
        </p>
      )}
      <AttachmentStrip attachments={attachments} />
      <label className="mr-unseen" htmlFor={field}>
        Message
      </label>
      <textarea
        id={field}
        rows={1}
        value={text}
        placeholder={isOver.value ? 'Drop to attach' : placeholder}
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => pasteFiles(event, attachments)}
      />
      <div className="composer-row">
        <span className="composer-start">
          <AgentPicker agents={agents} value={agent} onChoose={onAgent} isFixed={live !== undefined} />
          <AttachButton onFiles={attachments.add} />
        </span>
        <span className="composer-end">
          {live?.canSteer === true && <DeliverySwitch value={preferred} onChoose={setPreferred} />}
          {stop}
          <button
            type="submit"
            className="mr-button button mr-primary square"
            aria-label="Send"
            title={sendTitles[deliveryOf(live, preferred, false)]}
            disabled={!canSend}
          >
            <Icon name="arrow-up" />
          </button>
        </span>
      </div>
    </form>
  )
}

const sendTitles: { readonly [How in Delivery]: string } = {
  run: 'Send (Enter)',
  now: 'Send to the agent now (Enter)',
  next: 'Send after this run (Enter)',
}

/** A picture in the clipboard is attached; a text is pasted as usual. */
function pasteFiles(event: ClipboardEvent, { add }: Attachments): void {
  const pasted = [...event.clipboardData.files]
  if (pasted.length === 0) return
  event.preventDefault()
  add(pasted)
}

/** Files dropped on the composer are attached. Anywhere else on the page they are recordings. */
function useFileDrop({ add }: Attachments) {
  const [value, setValue] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setValue(true)
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setValue(false)
    },
    onDrop(event: DragEvent) {
      setValue(false)
      if (!hasFiles(event)) return
      // The window sees that the drag is over, and imports nothing.
      event.preventDefault()
      add([...event.dataTransfer.files])
    },
  }
  return { value, handlers }
}
