import type { TextSegment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { hostOf, safeLink } from '../links.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Link } from '../slot.tsx'
import { isObject } from '../tools/argument.ts'
import { useViewContext } from '../view-context.ts'

/** Text has no box and no trigger. */
export function Text({ segment }: { readonly segment: TextSegment }) {
  const { text, state, variant, citations = [] } = segment
  const { isOver, labels } = useViewContext()
  const isLive = state === 'live' && !isOver
  const cited = citations.map(citationOf).filter((citation) => citation !== undefined)
  return (
    <div className={`mr-prose${isLive ? ' mr-growing' : ''}`}>
      {variant === 'refusal' && <span className="mr-badge">{labels.refused}</span>}
      <Markdown text={text} isLive={isLive} />
      {cited.length > 0 && (
        <ol className="mr-chips" aria-label={labels.citations}>
          {cited.map((citation, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a citation's number is its index
            <li key={index}>
              <Citation number={index + 1} {...citation} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

interface Cited {
  readonly title: string
  readonly url: string | undefined
}

function Citation({ number, title, url }: Cited & { readonly number: number }) {
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

/** Providers share few names but these. */
function citationOf(citation: Json): Cited | undefined {
  if (!isObject(citation)) return undefined
  const named = [citation.title, citation.document_title, citation.filename, citation.url, citation.cited_text]
  const title = named.find((name) => typeof name === 'string' && name !== '')
  const url = safeLink(typeof citation.url === 'string' ? citation.url : undefined)
  return typeof title === 'string' ? { title: title.slice(0, 200), url } : undefined
}
