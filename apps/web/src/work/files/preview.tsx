import type { Artifact, Visit } from '@millrace/core/work'
import { Markdown, Output, safeLink } from '@millrace/react'
import { useMemo } from 'react'
import { Icon } from '../../icon.tsx'
import { countText } from '../../words/numbers.ts'
import { useWork } from '../work-context.ts'
import { csvRows } from './csv-rows.ts'
import { inertPage } from './inert-page.ts'
import { imageUrl, type Look, textOf } from './shelf-items.ts'

/** The looks that have a preview besides the text. */
export const hasPreview = (look: Look): boolean => look !== 'text' && look !== 'none'

/** A file as it is meant to be seen. Nothing of it runs, and nothing is fetched. */
export function Preview({ artifact, look }: { readonly artifact: Artifact; readonly look: Look }) {
  const text = textOf(artifact) ?? ''
  if (look === 'page') return <Page name={artifact.name} html={text} />
  if (look === 'image') return <Picture artifact={artifact} />
  if (look === 'table') return <Table text={text} />
  return (
    <Scrolled label={`Preview of ${artifact.name}`}>
      <div className="paper paper-markdown">
        <Markdown text={text} isLive={false} />
      </div>
    </Scrolled>
  )
}

/** The strip says what is off; the frame has no permission at all. */
function Page({ name, html }: { readonly name: string; readonly html: string }) {
  const page = useMemo(() => inertPage(html), [html])
  return (
    <>
      <p className="inert-strip">
        <Icon name="shield" />
        Inert: scripts, network, forms and links are off.
      </p>
      <div className="desk">
        <iframe className="paper paper-page" title={`Preview of ${name}`} sandbox="" srcDoc={page} />
      </div>
    </>
  )
}

function Picture({ artifact }: { readonly artifact: Artifact }) {
  const { basePath } = useWork()
  const url = imageUrl(artifact) ?? ''
  return (
    <Scrolled label={`Preview of ${artifact.name}`}>
      <img className="paper paper-image" src={url.startsWith('/') ? `${basePath}${url}` : url} alt={artifact.name} />
    </Scrolled>
  )
}

const MOST_ROWS = 200

function Table({ text }: { readonly text: string }) {
  const { head, rows, count } = useMemo(() => csvRows(text, MOST_ROWS), [text])
  return (
    <Scrolled label="Table">
      <div className="paper paper-table">
        <table>
          <thead>
            <tr>
              {head.map((cell, index) => (
                <th key={index} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {count > rows.length && <p>{(count - rows.length).toLocaleString('en')} more rows are in the source.</p>}
      </div>
    </Scrolled>
  )
}

export function Source({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <Scrolled label={`Source of ${name}`} isText>
      {text === '' ? (
        <p className="pane-empty">The file is empty.</p>
      ) : (
        <Output text={text} label={`Source of ${name}`} />
      )}
    </Scrolled>
  )
}

/** A page that was visited: what the agent got of it, as text. */
export function VisitView({ visit }: { readonly visit: Visit }) {
  const { calls } = useWork()
  const call = calls.find(({ runId, segment }) => runId === visit.runId && segment.callId === visit.callId)
  const output = call?.segment.output
  const text = typeof output === 'string' ? output : output === undefined ? '' : JSON.stringify(output, null, 2)
  const link = safeLink(visit.url)
  return (
    <>
      <p className="inert-strip">
        <Icon name="globe" />
        <span>
          {visit.characters === undefined
            ? 'It could not be read.'
            : `What the agent got of it: ${countText(visit.characters)} characters.`}
        </span>
        {link !== undefined && (
          <a className="text-link" href={link} target="_blank" rel="noreferrer noopener">
            Open the page
          </a>
        )}
      </p>
      <Source text={call?.segment.error ?? text} name={visit.url} />
    </>
  )
}

interface ScrolledProps {
  readonly label: string
  readonly isText?: boolean
  readonly children: React.ReactNode
}

function Scrolled({ label, isText = false, children }: ScrolledProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
    <section className={isText ? 'file-source' : 'desk'} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
