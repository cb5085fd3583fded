import { useState } from 'react'
import { Icon } from '../icon.tsx'

interface ImageProps {
  readonly url: string
  readonly alt: string
  /** Who will learn that it was opened. */
  readonly host: string
}

/** An address can carry what the model has read to a stranger: nothing is asked of it before a person wants to see it. */
export function ImageOnDemand({ url, alt, host }: ImageProps) {
  const [isWanted, setIsWanted] = useState(false)
  if (isWanted) return <img className="mr-image" src={url} alt={alt} referrerPolicy="no-referrer" />
  return (
    <button type="button" className="mr-chip" onClick={() => setIsWanted(true)}>
      <Icon name="image" />
      <span className="mr-cut">{alt === '' ? 'Show image' : `Show image: ${alt}`}</span>
      <span className="mr-quiet">{host}</span>
    </button>
  )
}
