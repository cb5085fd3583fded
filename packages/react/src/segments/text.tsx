import type { TextSegment } from '@millrace/core/fold'
import { useMemo } from 'react'
import { hostOf } from '../links.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Link } from '../slot.tsx'
import { useViewContext } from '../view-context.ts'
import { CitedSources } from './cited-sources.ts'
import { type CitedSource, citedText } from './cited-text.ts'

/** Text has no box and no trigger. What it cites stands below it, in one row. */
export function Prose({ texts }: { readonly texts: readonly TextSegment[] }) {
  const { isOver, labels, components } = useViewContext()
  const last = texts.at(-1)
  const isLive = last?.state === 'live' && !isOver
  const { plain, marked, sources } = useMemo(() => citedText(texts), [texts])
  return (
    <div className={`mr-prose${isLive ? ' mr-growing' : ''}`}>
      {last?.variant === 'refusal' && <span className="mr-badge">{labels.refused}</span>}
      <CitedSources.Provider value={sources}>
        {/* A component of the host does not know our marks. */}
        <Markdown text={components.markdown === undefined ? marked : plain} isLive={isLive} />
      </CitedSources.Provider>
      {sources.length > 0 && (
        <ol className="mr-chips" aria-label={labels.citations}>
          {sources.map((source, index) => (
            <li key={source.url ?? source.title}>
              <Citation number={index + 1} {...source} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function Citation({ number, title, url }: CitedSource & { readonly number: number }) {
  const inside = (
    <>
      <span className="mr-chip-number">{number}</span>
      <span className="mr-cut">{title}</span>
      {url !== undefined && <span className="mr-quiet">{hostOf(url)}</span>}
    </>
  )
  return url === undefined ? (
    <span className="mr-chip">{inside}</span>
  ) : (
    <Link className="mr-chip" href={url}>
      {inside}
    </Link>
  )
}
