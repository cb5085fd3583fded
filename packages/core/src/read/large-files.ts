import { sizeOf } from '../data/base64.ts'
import { concreteType } from '../data/image-type.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import type { Json } from '../json.ts'

/** The most base64 characters of a file that an event carries. */
export const MAX_BYTES = 64 * 1024

/** A file that is too large for an event. */
export interface LargeFile {
  readonly mediaType: string
  readonly filename?: string
  /** As base64. */
  readonly bytes: string
  /** In bytes. */
  readonly size: number
}

/**
 * Takes a file that is too large for an event and returns its address. Returns undefined if the file is left out. MUST
 * return the same address for the same file: a run that is read again gives the same events.
 */
export type StoreFile = (file: LargeFile) => string | undefined

/**
 * Moves large files out of the events of one record: a file event gets the address in place of the bytes, and whatever
 * else of the record repeats the bytes, such as a tool's output, names the address too. So bytes stand in the log once.
 */
export function withoutLargeFiles(events: readonly StreamEvent[], storeFile: StoreFile): readonly StreamEvent[] {
  if (!hasLarge(events)) return events
  const replacements = new Map<string, string>()
  const cut = events.map((event) => (isLarge(event) ? moved(event, storeFile, replacements) : event))
  return cut.map((event) => replacedIn(event as unknown as Json, replacements) as unknown as StreamEvent)
}

/** A loop, because this is asked of every record (bench/rows/parse.ts). */
function hasLarge(events: readonly StreamEvent[]): boolean {
  for (const event of events) if (isLarge(event)) return true
  return false
}

type Large = EventOf<'file'> & { readonly bytes: string }

function isLarge(event: StreamEvent): event is Large {
  return event.type === 'file' && event.bytes !== undefined && event.bytes.length > MAX_BYTES
}

function moved(event: Large, storeFile: StoreFile, replacements: Map<string, string>): StreamEvent {
  const { bytes, url: ownUrl, ...file } = event
  const { filename } = file
  const size = sizeOf(bytes)
  const mediaType = concreteType(file.mediaType, bytes)
  const address = storeFile({ mediaType, bytes, size, ...(filename !== undefined && { filename }) })
  replacements.set(bytes, address ?? `[${size} bytes were left out]`)
  const url = address ?? ownUrl
  // The agent's own address of the file, which others cannot open, is kept beside that of the store.
  const millrace = { ...file.meta?.millrace, size, ...(ownUrl !== undefined && url !== ownUrl && { url: ownUrl }) }
  return { ...file, ...(url !== undefined && { url }), meta: { ...file.meta, millrace } }
}

type Replacements = ReadonlyMap<string, string>

/** The value with the addresses in place of the bytes; the value itself if it holds none. */
function replacedIn(value: Json, replacements: Replacements): Json {
  if (typeof value === 'string') return value.length > MAX_BYTES ? replacedText(value, replacements) : value
  if (typeof value !== 'object' || value === null) return value
  let isChanged = false
  const replace = (item: Json) => {
    const replaced = replacedIn(item, replacements)
    isChanged ||= replaced !== item
    return replaced
  }
  const copy = Array.isArray(value)
    ? value.map(replace)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item)]))
  return isChanged ? copy : value
}

/** Bytes are repeated as they are, or as a data URL. */
function replacedText(text: string, replacements: Replacements): string {
  for (const [bytes, address] of replacements)
    if (text === bytes || (text.startsWith('data:') && text.endsWith(bytes))) return address
  return text
}
