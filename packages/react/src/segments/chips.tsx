import { storedFileId } from '@millrace/core/api'
import { sizeOf } from '@millrace/core/files'
import type { FileSegment, SourceSegment } from '@millrace/core/fold'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { hostOf, safeFileLink, safeLink } from '../links.ts'
import { bytesText, type NumberLabels } from '../numbers.ts'
import { Link, Slot } from '../slot.tsx'
import { useViewContext } from '../view-context.ts'
import { Picture, pictureUrl } from './picture.tsx'

type Chip = SourceSegment | FileSegment

/** A row of pictures, and one of sources and other files. Sources are numbered within their row. */
export function Chips({ chips }: { readonly chips: readonly Chip[] }) {
  const { labels, basePath } = useViewContext()
  const pictures = chips.flatMap((chip) => {
    const url = chip.type === 'file' ? pictureUrl(chip) : undefined
    return url === undefined ? [] : [{ file: chip as FileSegment, url }]
  })
  const others = chips.filter((chip) => pictures.every(({ file }) => file !== chip))
  const sources = others.filter((chip) => chip.type === 'source')
  return (
    <>
      {pictures.length > 0 && (
        <ul className="mr-chips" aria-label={labels.pictures}>
          {pictures.map(({ file, url }) => (
            <li key={file.seqs[0]}>
              <FilePicture file={file} url={mounted(basePath, url)} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul
          className="mr-chips"
          aria-label={sources.length === others.length ? labels.sources : labels.filesAndSources}
        >
          {others.map((chip) => (
            <li key={chip.seqs[0]}>
              {chip.type === 'file' ? (
                <File file={chip} />
              ) : (
                <Source source={chip} number={sources.indexOf(chip) + 1} />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** An image by the host's component, or as our thumbnail. */
function FilePicture({ file, url }: { readonly file: FileSegment; readonly url: string }) {
  const { labels, components } = useViewContext()
  const shown = { url, name: file.filename ?? labels.image, size: sizeText(file, labels) }
  const own = <Picture {...shown} fallback={<File file={file} />} />
  return <Slot component={components.image} props={shown} of={url} fallback={own} />
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
  const { labels, basePath } = useViewContext()
  const { filename, mediaType, url } = file
  const link = mounted(basePath, safeFileLink(url))
  // A file elsewhere is a link, and the reader sees where it leads.
  const host = link === undefined ? '' : hostOf(link)
  return (
    <Linked url={link} title={undefined}>
      <Icon name={mediaType.startsWith('image/') ? 'image' : 'file'} />
      <span className="mr-cut">{filename ?? mediaType}</span>
      <span className="mr-quiet">
        {sizeText(file, labels) ?? (host !== '' ? host : filename === undefined ? '' : mediaType)}
      </span>
    </Linked>
  )
}

/** The address of a stored file below the base path; any other address as it is. */
function mounted<Url extends string | undefined>(basePath: string, url: Url): Url | string {
  return storedFileId(url) === undefined ? url : `${basePath}${url}`
}

/** The size of a file, if it is known: of its bytes, or as it was when it was stored or left out. */
function sizeText({ bytes, meta }: FileSegment, labels: NumberLabels): string | undefined {
  const stored = meta?.millrace?.size
  const size = bytes === undefined ? stored : sizeOf(bytes)
  return typeof size === 'number' ? bytesText(size, labels) : undefined
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
    <Link className="mr-chip" href={url} title={title}>
      {children}
    </Link>
  )
}
