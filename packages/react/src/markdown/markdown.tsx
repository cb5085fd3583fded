import { createContext, memo, type ReactNode, useContext, useMemo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Boundary } from '../boundary.tsx'
import type { MarkdownProps } from '../components.ts'
import { hostOf, safeImage, safeLink } from '../links.ts'
import { PlainBlock } from '../output/output.tsx'
import { CitedSources } from '../segments/cited-sources.ts'
import { citedNumber } from '../segments/cited-text.ts'
import { Link, Slot } from '../slot.tsx'
import { useViewContext } from '../view-context.ts'
import { CodeBlock } from './code-block.tsx'
import { ImageLink, InsideLink } from './image-link.tsx'
import { type Drawable, type DrawableFootnote, layOut } from './layout.ts'
import { createLimiter } from './limits.ts'
import { createSplitter, listingOf } from './split.ts'

const Footnotes = createContext<ReadonlyMap<string, number>>(new Map())

/** A text by the host's component or ours. */
export function Markdown(props: MarkdownProps) {
  const { components } = useViewContext()
  return <Slot component={components.markdown} props={props} of={props.text} fallback={<OwnMarkdown {...props} />} />
}

/**
 * While a text grows, only its tail is parsed again, and drawn as it will most likely look; finished blocks keep their
 * elements.
 */
function OwnMarkdown({ text, isLive }: MarkdownProps) {
  const [split] = useState(createSplitter)
  const [limit] = useState(createLimiter)
  const { blocks, footnotes } = useMemo(() => layOut(split(text), isLive, limit), [split, limit, text, isLive])
  const key = footnotes.map(({ label }) => label).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the labels in order are all that the numbers depend on
  const numbers = useMemo(() => new Map(footnotes.map(({ label, number }) => [label, number])), [key])
  return (
    <Footnotes.Provider value={numbers}>
      {blocks.map(({ at, ...block }, index) => (
        <MarkdownBlock key={at} {...block} isGrowing={isLive && index === blocks.length - 1 && isListing(block)} />
      ))}
      {footnotes.length > 0 && <FootnoteList footnotes={footnotes} />}
    </Footnotes.Provider>
  )
}

interface MarkdownBlockProps extends Drawable {
  /** A listing that is still being written. False for any other block, which would be parsed again at its end. */
  readonly isGrowing: boolean
}

const isListing = ({ source }: Drawable) => source !== undefined && listingOf(source) !== undefined

/** Code needs no parser, so a long listing that is still being written costs little. */
const MarkdownBlock = memo(function MarkdownBlock({ text, source, isGrowing }: MarkdownBlockProps) {
  if (source === undefined) return <PlainBlock text={text} />
  if (source.trim() === '') return undefined
  const listing = listingOf(source)
  if (listing !== undefined) {
    return (
      <div className="mr-md">
        <CodeBlock code={listing.code} language={listing.info} isLive={isGrowing} />
      </div>
    )
  }
  return (
    <Boundary of={source} fallback={<PlainBlock text={text} />}>
      <div className="mr-md">
        <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={keepLink}>
          {source}
        </ReactMarkdown>
      </div>
    </Boundary>
  )
})

function FootnoteList({ footnotes }: { readonly footnotes: readonly DrawableFootnote[] }) {
  const { labels } = useViewContext()
  return (
    <ol className="mr-notes" aria-label={labels.footnotes}>
      {footnotes.map(({ label, text, source }) => (
        <li key={label}>
          {source === undefined ? text : <MarkdownBlock text={text} source={source} isGrowing={false} />}
        </li>
      ))}
    </ol>
  )
}

const plugins = [remarkGfm]

const keepLink = (url: string) => safeLink(url) ?? (url.startsWith('#') ? url : '')

/** Headings of an answer rank below the thread's `h1` and each turn's `h2`. */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  a({ href = '', children, ...rest }) {
    if ('data-footnote-ref' in rest) return <FootnoteMark href={href} />
    const cited = citedNumber(href)
    if (cited !== undefined) return <CitationMark number={cited}>{children}</CitationMark>
    const link = safeLink(href)
    return link === undefined ? (
      <span>{children}</span>
    ) : (
      <Link href={link}>
        <InsideLink.Provider value={true}>{children}</InsideLink.Provider>
      </Link>
    )
  },
  img({ src, alt }) {
    const url = safeImage(typeof src === 'string' ? src : undefined)
    return url === undefined ? <span>{alt}</span> : <ImageLink url={url} alt={alt ?? ''} host={hostOf(url)} />
  },
  pre({ node }) {
    const code = node?.children[0]
    if (code?.type !== 'element') return undefined
    const first = code.children[0]
    const names = code.properties.className
    const language = Array.isArray(names) ? String(names[0] ?? '').replace(/^language-/, '') : ''
    return <CodeBlock code={first?.type === 'text' ? first.value.replace(/\n$/, '') : ''} language={language} />
  },
  table: ({ children }) => <Table>{children}</Table>,
  section: ({ children, ...rest }) => ('data-footnotes' in rest ? undefined : <section>{children}</section>),
  input: ({ checked }) => <input type="checkbox" checked={checked === true} disabled readOnly />,
}

function Table({ children }: { readonly children: ReactNode }) {
  const { labels } = useViewContext()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
    <section className="mr-table" tabIndex={0} aria-label={labels.table}>
      <table>{children}</table>
    </section>
  )
}

/** Leads to what is cited; only a number if that has no address. */
function CitationMark({ number, children }: { readonly number: number; readonly children: ReactNode }) {
  const source = useContext(CitedSources)[number - 1]
  if (source === undefined) return <span>{children}</span>
  if (source.url === undefined) return <span className="mr-cite">{number}</span>
  return (
    <Link className="mr-cite" href={source.url} title={source.title}>
      {number}
    </Link>
  )
}

/** Footnotes are numbered across the whole text, although each block is parsed separately. */
function FootnoteMark({ href }: { readonly href: string }) {
  const numbers = useContext(Footnotes)
  const label = decoded(href.replace(/^#user-content-fn-/, ''))
  return <span className="mr-cite">{numbers.get(label) ?? label}</span>
}

function decoded(label: string): string {
  try {
    return decodeURIComponent(label)
  } catch {
    return label
  }
}
