/** How the base64 of images begins. */
const BEGINNINGS: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** The type of an image by its bytes; undefined if they do not begin like an image. */
export function imageTypeIn(base64: string): string | undefined {
  return BEGINNINGS.find(([beginning]) => base64.startsWith(beginning))?.[1]
}

/** The stated type of a file, or that of its bytes if the stated one is not concrete: some formats only say `image/*`. */
export function concreteType(mediaType: string, base64: string): string {
  const isConcrete = !mediaType.endsWith('/*') && mediaType !== 'application/octet-stream' && mediaType !== ''
  return isConcrete ? mediaType : (imageTypeIn(base64) ?? mediaType)
}
