import { createContext, useContext } from 'react'
import { Icon } from '../icon.tsx'
import { Link } from '../slot.tsx'
import { useViewContext } from '../view-context.ts'

/** Whether the image is inside a link: links do not nest, so the image is then only text. */
export const InsideLink = createContext(false)

interface ImageLinkProps {
  readonly url: string
  readonly alt: string
  /** The server that gets the request when the link is followed. */
  readonly host: string
}

/**
 * An image on another server, as a link that names the server. A URL can send what the model has read to a third party,
 * so nothing is requested before the click, and the page's policy allows no foreign image at all.
 */
export function ImageLink({ url, alt, host }: ImageLinkProps) {
  const { labels } = useViewContext()
  if (useContext(InsideLink)) return <span>{alt === '' ? labels.image : alt}</span>
  return (
    <Link className="mr-chip" href={url} title={url}>
      <Icon name="image" />
      <span className="mr-cut">{alt === '' ? labels.openImage : alt}</span>
      <span className="mr-quiet">{host}</span>
    </Link>
  )
}
