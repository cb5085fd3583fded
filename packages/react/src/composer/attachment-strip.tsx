import { useRef } from 'react'
import { Icon } from '../icon.tsx'
import type { Labels } from '../labels.ts'
import { bytesText } from '../numbers.ts'
import { useViewContext } from '../view-context.ts'
import type { Attachment, Attachments } from './use-attachments.ts'

/** The files of the message that is being written, each with a button that removes it. */
export function AttachmentStrip({ attachments }: { readonly attachments: Attachments }) {
  const { labels } = useViewContext()
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
        <p className="mr-composer-trouble" role="alert">
          {refusal}
        </p>
      )}
      {all.length > 0 && (
        <ul className="mr-attachments" aria-label={labels.filesOfMessage} ref={strip}>
          {all.map((each) => (
            <li
              key={each.key}
              className={each.trouble === undefined ? 'mr-attachment' : 'mr-attachment mr-attachment-failed'}
            >
              <Thumbnail attachment={each} />
              <span className="mr-attachment-words">
                <b className="mr-cut">{each.name}</b>
                <span className="mr-cut" {...(each.trouble !== undefined && { role: 'alert', title: each.trouble })}>
                  {stateText(each, labels)}
                </span>
              </span>
              <button
                type="button"
                className="mr-icon-button"
                aria-label={labels.removeFile(each.name)}
                title={labels.remove}
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
  if (preview === undefined) return <Icon name="file" className="mr-attachment-icon" />
  return <img className="mr-attachment-picture" src={preview} alt="" />
}

function stateText({ file, trouble, size }: Attachment, labels: Labels): string {
  if (trouble !== undefined) return labels.notUploaded(trouble)
  if (file === undefined) return labels.uploading
  return size === undefined ? file.mediaType : bytesText(size, labels)
}

/** Opens the file picker. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const { labels } = useViewContext()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className="mr-icon-button mr-attach"
        aria-label={labels.attachFiles}
        title={labels.attachFiles}
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={labels.filesToAttach}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
