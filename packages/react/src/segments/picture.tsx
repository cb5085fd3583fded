import { storedFileId } from '@millrace/core/api'
import { concreteType } from '@millrace/core/files'
import type { FileSegment } from '@millrace/core/fold'
import { type ReactNode, useState } from 'react'
import type { ImageProps } from '../components.ts'
import { Icon } from '../icon.tsx'
import { Modal } from '../modal.tsx'
import { useViewContext } from '../view-context.ts'

/** Images that a browser decodes without running anything: no SVG, which may hold scripts. */
const RASTER = /^image\/(?:png|jpeg|gif|webp|avif)$/i

/**
 * The address of an image that is shown: its own bytes, or a file that the server stores. Undefined for any other file,
 * also for an image elsewhere: to load it would tell its host who reads this page.
 */
export function pictureUrl({ mediaType, url, bytes }: FileSegment): string | undefined {
  if (bytes === undefined) return mediaType.startsWith('image/') && storedFileId(url) !== undefined ? url : undefined
  const type = concreteType(mediaType, bytes)
  return RASTER.test(type) ? `data:${type};base64,${bytes}` : undefined
}

interface PictureProps extends ImageProps {
  /** Shown if the image cannot be decoded or is gone. */
  readonly fallback: ReactNode
}

/** An image as a thumbnail; a click enlarges it. */
export function Picture({ url, name, size, fallback }: PictureProps) {
  const { labels } = useViewContext()
  const [isBroken, setIsBroken] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  if (isBroken) return fallback
  return (
    <>
      <button type="button" className="mr-picture" aria-label={labels.enlarge(name)} onClick={() => setIsOpen(true)}>
        <img src={url} alt={name} loading={loadingOf(url)} decoding="async" onError={() => setIsBroken(true)} />
      </button>
      {isOpen && <Enlarged url={url} name={name} size={size} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** What is fetched is fetched when it comes into view; inline bytes are here already. */
const loadingOf = (url: string) => (url.startsWith('data:') ? 'eager' : 'lazy')

interface EnlargedProps extends ImageProps {
  readonly onClose: () => void
}

/** Escape, its button and a click beside the image close it; the focus returns to the thumbnail. */
function Enlarged({ url, name, size, onClose }: EnlargedProps) {
  const { labels } = useViewContext()
  return (
    <Modal className="mr-enlarged" label={{ text: name }} onClose={onClose}>
      {(close) => (
        <figure>
          <img src={url} alt={name} />
          <figcaption>
            <span className="mr-cut">{name}</span>
            {size !== undefined && <span className="mr-quiet">{size}</span>}
            <a className="mr-chip" href={url} download={name}>
              {labels.download}
            </a>
            <button type="button" className="mr-chip" onClick={close}>
              <Icon name="cross" />
              {labels.close}
            </button>
          </figcaption>
        </figure>
      )}
    </Modal>
  )
}
