import type { UserPart } from './plain.ts'
import type { FileReference } from './request.ts'

export type AnyFile = Extract<UserPart, { kind: 'file' }>['file']

/** A file in a message: its bytes, an address that anybody can open, or a reference that `withFiles` loads. */
export type FileContent =
  | { readonly kind: 'bytes'; readonly mediaType: string; readonly bytes: string }
  | { readonly kind: 'url'; readonly mediaType: string; readonly url: string }

/** Where the content of a file is. */
export function contentOf(file: AnyFile): FileContent | undefined {
  const { mediaType, url } = file
  if (file.bytes !== undefined) return { kind: 'bytes', mediaType, bytes: file.bytes }
  if (url !== undefined && /^https:\/\//i.test(url)) return { kind: 'url', mediaType, url }
  return undefined
}

export function referenceTo({ fileId, mediaType, filename, url }: AnyFile): FileReference {
  return {
    type: 'file-reference',
    fileId,
    mediaType,
    ...(filename !== undefined && { filename }),
    ...(url !== undefined && { url }),
  }
}

/** The text in place of a file that the provider does not take. */
export function fileText({ fileId, filename, mediaType }: Pick<AnyFile, 'fileId' | 'filename' | 'mediaType'>): string {
  return `[file ${filename ?? fileId}, ${mediaType}]`
}

/** Whether a file is readable as text. */
export const isTextType = (mediaType: string) =>
  mediaType.startsWith('text/') || /^application\/(?:json|xml|yaml|x-yaml|toml|javascript|sql)$/.test(mediaType)

/** The text of a file, from its base64. */
export function textIn(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}
