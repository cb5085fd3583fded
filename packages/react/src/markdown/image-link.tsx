import { createContext, useContext } from 'react'
import { Icon } from '../icon.tsx'
import { outward } from '../links.ts'

/** Whether a link stands around: links do not nest, so a picture inside one only says that it is there. */
export const InsideLink = createContext(false)

interface ImageLinkProps {
  readonly url: string
  readonly alt: string
  /** The server that learns of the visit when the link is followed. */
  readonly host: string
}

/**
 * A picture of another server as a link that names the server. An address can carry what the model has read to a stranger,
 * so nothing is requested before the click, and the page's own policy allows no foreign image at all.
 */
export function ImageLink({ url, alt, host }: ImageLinkProps) {
  if (useContext(InsideLink)) return <span>{alt === '' ? 'Image' : alt}</span>
  return (
    <a className="mr-chip" href={url} title={url} {...outward}>
      <Icon name="image" />
      <span className="mr-cut">{alt === '' ? 'Open image' : alt}</span>
      <span className="mr-quiet">{host}</span>
    </a>
  )
}
