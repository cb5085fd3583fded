import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The bytes of files, compressed once. */
export interface CompressedFiles {
  /** The compressed bytes of a file. `read` MUST give the same bytes for the same tag, and is called once for each. */
  gzipped(tag: string, read: () => Promise<Uint8Array>): Promise<Uint8Array>
}

/** Text that is at least so long becomes shorter. */
const LEAST = 1_024

/** How many files are kept: more than the app has. */
const MOST = 200

const compress = promisify(gzip)

export function createCompressedFiles(): CompressedFiles {
  const kept = new Map<string, Promise<Uint8Array>>()
  return {
    gzipped(tag, read) {
      const found = kept.get(tag)
      if (found !== undefined) return found
      // A page that is rebuilt again and again has new tags each time.
      if (kept.size >= MOST) kept.clear()
      const made = read().then((bytes) => compress(bytes, { level: 9 }))
      kept.set(tag, made)
      made.catch(() => kept.delete(tag))
      return made
    },
  }
}

/** What is text becomes shorter: pictures and fonts are compressed already. */
export const isWorthIt = (mediaType: string, size: number): boolean =>
  size >= LEAST && /^text\/|json|javascript|svg|wasm/.test(mediaType)

/** Whether a client takes gzip: `gzip;q=0` refuses it. */
export function takesGzip(accepted: string | undefined): boolean {
  const offers = (accepted ?? '').split(',').map((offer) =>
    offer
      .toLowerCase()
      .split(';')
      .map((part) => part.trim()),
  )
  const offer = offers.find(([name]) => name === 'gzip') ?? offers.find(([name]) => name === '*')
  return offer !== undefined && !offer.some((part) => /^q=0(?:\.0*)?$/.test(part))
}
