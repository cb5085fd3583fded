export const BINARY = 'application/octet-stream'

/** A media type that can be sent as a header; anything else is only bytes. */
export function checkedMediaType(mediaType: string): string {
  return /^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/.test(mediaType) ? mediaType : BINARY
}

/**
 * Types in which no browser runs or renders anything that an author could use against the page. Scripts, HTML, SVG, XML
 * and PDF are not among them.
 */
const INERT =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:audio|video)\/[\w.+-]+|text\/(?:plain|csv|markdown)|application\/json)(?:;|$)/i

/** The type that a file is served as, whatever it was stored as. */
export function servedMediaType(mediaType: string): string {
  return INERT.test(mediaType) ? checkedMediaType(mediaType) : BINARY
}
