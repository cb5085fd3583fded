import type { AgentInfo } from '@millrace/core/client'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Icon } from '../icon.tsx'
import type { Labels } from '../labels.ts'
import { useContextWith, useViewContext, ViewContextProvider, type ViewSettings } from '../view-context.ts'
import { AgentPicker } from './agent-picker.tsx'
import { AttachButton, AttachmentStrip } from './attachment-strip.tsx'
import { DeliverySwitch } from './delivery-switch.tsx'
import { type Delivery, type Draft, deliveryOf, type LiveRun, type Unsent } from './draft.ts'
import { isComposing } from './keys.ts'
import { type Attachments, type Upload, useAttachments } from './use-attachments.ts'

export interface ComposerProps extends Pick<ViewSettings, 'labels'> {
  /** The agents to choose from. Without them the composer has no picker. */
  readonly agents?: readonly AgentInfo[]
  /** The name of the agent that gets the message; empty: there is none, so nothing can be sent. */
  readonly agent: string
  readonly onAgent?: (name: string) => void
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
  /** Without it, no files can be attached. */
  readonly upload?: Upload
  /** Why a message or a file was refused, in words. Default: the message of the error. */
  readonly describe?: (error: unknown) => string
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Where a message is written, with its agent and its files. */
export function Composer(props: ComposerProps) {
  return (
    <ViewContextProvider value={useContextWith(props)}>
      <div className="millrace mr-composer-frame">
        <ComposerForm {...props} />
      </div>
    </ViewContextProvider>
  )
}

function ComposerForm(props: ComposerProps) {
  const { agents, agent, onAgent, placeholder, onSend, live, isBlocked = false, unsent, stop, upload } = props
  const { describe = messageOf } = props
  const { labels } = useViewContext()
  const attachments = useAttachments(upload, describe)
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
      restore(text, describe(error))
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a composed character, and then must not send.
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    void send(event.metaKey || event.ctrlKey)
  }
  const isOver = useFileDrop(attachments, upload !== undefined)

  return (
    <form
      className={`mr-composer${isOver.value ? ' mr-composer-over' : ''}`}
      {...isOver.handlers}
      onSubmit={(event) => {
        event.preventDefault()
        void send(false)
      }}
    >
      {trouble !== undefined && (
        <p className="mr-composer-trouble" role="alert">
          {labels.notSent(trouble)}
        </p>
      )}
      <AttachmentStrip attachments={attachments} />
      <label className="mr-unseen" htmlFor={field}>
        {labels.message}
      </label>
      <textarea
        id={field}
        rows={1}
        value={text}
        placeholder={isOver.value ? labels.dropToAttach : placeholder}
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => upload !== undefined && pasteFiles(event, attachments)}
      />
      <div className="mr-composer-row">
        <span className="mr-composer-start">
          {agents !== undefined && (
            <AgentPicker agents={agents} value={agent} onChoose={onAgent} isFixed={live !== undefined} />
          )}
          {upload !== undefined && <AttachButton onFiles={attachments.add} />}
        </span>
        <span className="mr-composer-end">
          {live?.canSteer === true && live.canQueue !== false && (
            <DeliverySwitch value={preferred} onChoose={setPreferred} />
          )}
          {stop}
          <button
            type="submit"
            className="mr-button mr-primary mr-send"
            aria-label={labels.send}
            title={sendTitle(deliveryOf(live, preferred, false), labels)}
            disabled={!canSend}
          >
            <Icon name="arrow-up" />
          </button>
        </span>
      </div>
    </form>
  )
}

function sendTitle(delivery: Delivery, { sendRun, sendNow, sendNext }: Labels): string {
  const titles: { readonly [How in Delivery]: string } = { run: sendRun, now: sendNow, next: sendNext }
  return titles[delivery]
}

/** A picture in the clipboard is attached; a text is pasted as usual. */
function pasteFiles(event: ClipboardEvent, { add }: Attachments): void {
  const pasted = [...event.clipboardData.files]
  if (pasted.length === 0) return
  event.preventDefault()
  add(pasted)
}

/** Files dropped on the composer are attached. Anywhere else on the page they are recordings. */
function useFileDrop({ add }: Attachments, canAttach: boolean) {
  const [value, setValue] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => canAttach && dataTransfer.types.includes('Files')
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
