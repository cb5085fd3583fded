import { bytesText, englishLabels } from '@millrace/react'
import { useRef } from 'react'
import { Icon } from '../icon.tsx'
import type { Attachment, Attachments } from './use-attachments.ts'

/** The files of the message that is being written, each with a button that removes it. */
export function AttachmentStrip({ attachments }: { readonly attachments: Attachments }) {
  const { all, refusal, remove } = attachments
  const strip = useRef<HTMLUListElement>(null)
  const removeAt = (key: number) => {
    remove(key)
    // The pressed button goes: the focus stays with the message.
    strip.current?.closest('form')?.querySelector('textarea')?.focus()
  }
  return (
    <>
      {refusal !== undefined && (
        <p className="composer-trouble" role="alert">
          {refusal}
        </p>
      )}
      {all.length > 0 && (
        <ul className="attachments" aria-label="Files of this message" ref={strip}>
          {all.map((each) => (
            <li key={each.key} className={each.trouble === undefined ? 'attachment' : 'attachment attachment-failed'}>
              <Thumbnail attachment={each} />
              <span className="attachment-words">
                <b className="mr-cut">{each.name}</b>
                <span className="mr-cut" {...(each.trouble !== undefined && { role: 'alert', title: each.trouble })}>
                  {stateText(each)}
                </span>
              </span>
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove ${each.name}`}
                title="Remove"
                onClick={() => removeAt(each.key)}
              >
                <Icon name="cross" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Thumbnail({ attachment: { preview } }: { readonly attachment: Attachment }) {
  if (preview === undefined) return <Icon name="record" className="attachment-icon" />
  return <img className="attachment-picture" src={preview} alt="" />
}

function stateText({ file, trouble, size }: Attachment): string {
  if (trouble !== undefined) return `Not uploaded. ${trouble}`
  if (file === undefined) return 'Uploading…'
  return size === undefined ? file.mediaType : bytesText(size, englishLabels)
}

/** Opens the file picker. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Attach files"
        title="Attach files"
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
