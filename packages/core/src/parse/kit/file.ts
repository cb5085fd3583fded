import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'

export type FileContent = Pick<EventOf<'file'>, 'mediaType' | 'url' | 'bytes'>

/** A file as a format sends it: its base64, or an address, which may be a data URL. */
export interface SentFile {
  readonly base64?: string | null | undefined
  readonly url?: string | null | undefined
  readonly mediaType?: string | null | undefined
}

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i
/** A head that is longer than this is not that of a data URL: a long text is not searched. */
const LONGEST_HEAD = 256

/**
 * The content of a file event: the bytes as they were sent, however many, and any address that is not a data URL. The
 * reader, not the parser, decides what becomes of bytes that are too many for an event.
 */
export function fileContent({ base64, url, mediaType }: SentFile, defaultType: string): FileContent {
  const inline = dataUrlOf(url ?? '')
  return {
    mediaType: inline?.mediaType || mediaType || defaultType,
    ...present({
      url: inline === undefined ? url || undefined : undefined,
      bytes: inline?.bytes ?? (base64 || undefined),
    }),
  }
}

/** The type and the bytes of a data URL; undefined for any other address. */
export function dataUrlOf(url: string): { readonly mediaType: string; readonly bytes: string } | undefined {
  const head = DATA_URL.exec(url.slice(0, LONGEST_HEAD))
  return head === null ? undefined : { mediaType: head[1] ?? '', bytes: url.slice(head[0].length) }
}
