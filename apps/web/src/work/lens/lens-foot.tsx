import type { Entry } from '@millrace/core/events'
import { useEffect, useState } from 'react'
import { Icon, type IconName } from '../../icon.tsx'
import { type Arrival, hopsOf } from './hops.ts'

interface LensFootProps {
  readonly entry: Entry | undefined
  readonly arrival: Arrival | undefined
  readonly onCopyLink: () => Promise<void>
  /** Absent: no record made the piece. */
  readonly onSave: (() => Promise<void>) | undefined
}

/** The way of the open entry from the agent to the screen, as far as it was measured. */
export function LensFoot({ entry, arrival, onCopyLink, onSave }: LensFootProps) {
  const hops = entry === undefined ? [] : hopsOf(entry, arrival)
  return (
    <footer className="lens-foot">
      <ol className="hops" aria-label="The way of this entry">
        {hops.map(({ name, text, title }) => (
          <li className="hop" key={name} title={title}>
            <b>{name}</b>
            {text}
          </li>
        ))}
      </ol>
      <span className="lens-acts">
        <Act icon="link" words="Copy link" done="Link copied" act={onCopyLink} />
        {onSave !== undefined && <Act icon="import" words="Save as fixture" done="Saved" act={onSave} />}
      </span>
    </footer>
  )
}

interface ActProps {
  readonly icon: IconName
  readonly words: string
  readonly done: string
  readonly act: () => Promise<void>
}

const SHOWN_MS = 2_000

/** A button that says for a moment what became of it. */
function Act({ icon, words, done, act }: ActProps) {
  const [outcome, setOutcome] = useState<{ readonly words: string }>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const onClick = () =>
    act().then(
      () => setOutcome({ words: done }),
      () => setOutcome({ words: 'That failed' }),
    )
  return (
    <>
      <button type="button" className="mr-button button" onClick={onClick}>
        <Icon name={outcome?.words === done ? 'check' : icon} />
        {words}
      </button>
      <span className="unseen" role="status">
        {outcome?.words}
      </span>
      {outcome !== undefined && outcome.words !== done && <span className="lens-failed">{outcome.words}</span>}
    </>
  )
}
