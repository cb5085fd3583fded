import { formatTitle } from '@millrace/react'
import { type FormEvent, useId } from 'react'
import { Icon } from '../icon.tsx'
import type { Import, Importing } from './use-import.ts'

/** The state of an import that is not done. */
export function ImportNotice({ importing }: { readonly importing: Importing }) {
  const { current, dismiss } = importing
  if (current.state === 'idle') return undefined
  return (
    <div className="notice" role="status">
      {current.state === 'reading' && (
        <p>
          Reading <b>{current.name}</b>…
        </p>
      )}
      {current.state === 'failed' && (
        <p>
          <b>{current.name}</b> was not imported. {current.reason}
        </p>
      )}
      {current.state === 'unsure' && <FormatChoice current={current} importAs={importing.importAs} />}
      {current.state !== 'reading' && (
        <button type="button" className="icon-button" aria-label="Dismiss" onClick={dismiss}>
          <Icon name="cross" />
        </button>
      )}
    </div>
  )
}

interface FormatChoiceProps extends Pick<Importing, 'importAs'> {
  readonly current: Extract<Import, { state: 'unsure' }>
}

function FormatChoice({ current: { file, reason, formats }, importAs }: FormatChoiceProps) {
  const field = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    importAs(file, String(new FormData(event.currentTarget).get('format')))
  }
  return (
    <form onSubmit={submit}>
      <label htmlFor={field}>
        Which format does <b>{file.name}</b> have? It was not recognised: {reason}
      </label>
      <span className="notice-choice">
        <select id={field} name="format" className="select">
          {formats.map((format) => (
            <option key={format} value={format}>
              {formatTitle(format)}
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
