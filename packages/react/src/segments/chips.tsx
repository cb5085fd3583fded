import type { FileSegment, SourceSegment } from '@millrace/core/fold/shapes'
import type { ReactNode } from 'react'
import { bytesText } from '../durations.ts'
import { Icon } from '../icon.tsx'
import { externalLinkProps, hostOf, safeFileLink, safeLink } from '../links.ts'
import { withoutTrailing } from '../without-trailing.ts'

type Chip = SourceSegment | FileSegment

/** A row of sources and files. Sources are numbered within their row. */
export function Chips({ chips }: { readonly chips: readonly Chip[] }) {
  const sources = chips.filter((chip) => chip.type === 'source')
  return (
    <ul className="mr-chips" aria-label={sources.length === chips.length ? 'Sources' : 'Files and sources'}>
      {chips.map((chip) => (
        <li key={chip.seqs[0]}>
          {chip.type === 'source' ? <Source source={chip} number={sources.indexOf(chip) + 1} /> : <File file={chip} />}
        </li>
      ))}
    </ul>
  )
}

function Source({ source, number }: { readonly source: SourceSegment; readonly number: number }) {
  const { url, title, snippet, sourceId } = source
  const host = url === undefined ? '' : hostOf(url)
  return (
    <Linked url={safeLink(url)} title={snippet}>
      <span className="mr-chip-number">{number}</span>
      <span className="mr-cut">{title ?? (host === '' ? sourceId : host)}</span>
      {title !== undefined && host !== '' && <span className="mr-quiet">{host}</span>}
    </Linked>
  )
}

function File({ file }: { readonly file: FileSegment }) {
  const { filename, mediaType, url, bytes } = file
  const size = bytes === undefined ? undefined : bytesText(Math.floor((withoutTrailing(bytes, '=').length * 3) / 4))
  return (
    <Linked url={safeFileLink(url)} title={undefined}>
      <Icon name={mediaType.startsWith('image/') ? 'image' : 'file'} />
      <span className="mr-cut">{filename ?? mediaType}</span>
      <span className="mr-quiet">{size ?? (filename === undefined ? '' : mediaType)}</span>
    </Linked>
  )
}

interface LinkedProps {
  readonly url: string | undefined
  readonly title: string | undefined
  readonly children: ReactNode
}

function Linked({ url, title, children }: LinkedProps) {
  if (url === undefined) {
    return (
      <span className="mr-chip" title={title}>
        {children}
      </span>
    )
  }
  return (
    <a className="mr-chip" href={url} title={title} {...externalLinkProps}>
      {children}
    </a>
  )
}
