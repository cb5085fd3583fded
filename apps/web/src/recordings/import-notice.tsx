import { formatTitle } from '@millrace/react'
import { type FormEvent, type ReactNode, useId } from 'react'
import { Icon } from '../icon.tsx'
import { Link } from '../navigation.tsx'
import type { ImportItem, Importing } from './use-import.ts'

/** The files that are imported, and what has become of each. */
export function ImportNotice({
  importing,
  shown,
}: {
  readonly importing: Importing
  readonly shown: string | undefined
}) {
  const { items, dismiss } = importing
  // The thread of a file shows by itself that it is being read.
  const listed = items.filter((item) => item.state !== 'sending' || item.threadId !== shown)
  return (
    <div className="notices" role="status">
      {listed.map((item) => (
        <div key={item.id} className="notice">
          <Item item={item} importing={importing} />
          {item.state !== 'waiting' && item.state !== 'sending' && (
            <button
              type="button"
              className="icon-button"
              aria-label={`Dismiss ${item.name}`}
              onClick={() => dismiss(item.id)}
            >
              <Icon name="cross" />
            </button>
          )}
        </div>
      ))}
    </div>
  )
}

function Item({ item, importing }: { readonly item: ImportItem; readonly importing: Importing }): ReactNode {
  const name = <b>{item.name}</b>
  if (item.state === 'waiting') return <p>Looking at {name}…</p>
  if (item.state === 'sending') {
    return (
      <p>
        Reading {name}… <Link to={{ name: 'thread', threadId: item.threadId }}>Open</Link>
      </p>
    )
  }
  if (item.state === 'done') {
    return (
      <p>
        <Icon name="check" className="notice-done" />
        {name} is imported. <Link to={{ name: 'thread', threadId: item.threadId }}>Open</Link>
      </p>
    )
  }
  if (item.state === 'unsure') {
    return <FormatChoice item={item} onChoose={(format) => importing.importAs(item.id, format)} />
  }
  return (
    <p>
      {name} was not imported. {item.reason}
    </p>
  )
}

interface FormatChoiceProps {
  readonly item: Extract<ImportItem, { state: 'unsure' }>
  readonly onChoose: (format: string) => void
}

function FormatChoice({ item: { name, reason, guess, formats }, onChoose }: FormatChoiceProps) {
  const field = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onChoose(String(new FormData(event.currentTarget).get('format')))
  }
  return (
    <form onSubmit={submit}>
      <label htmlFor={field}>
        Which format does <b>{name}</b> have? It was not recognised: {reason}
      </label>
      <span className="notice-choice">
        <select id={field} name="format" className="select" required defaultValue={guess ?? ''}>
          {guess === undefined && <option value="">Choose a format</option>}
          {formats.map((format) => (
            <option key={format} value={format}>
              {formatTitle(format)}
              {format === guess && ', the best guess'}
            </option>
          ))}
        </select>
        <button type="submit" className="mr-button button mr-primary">
          Import
        </button>
      </span>
    </form>
  )
}
