import { StreamError } from '../errors.ts'
import { parseJson } from '../json.ts'

/** One raw record: what the framework sent, as it sent it. */
export interface RawRecord {
  /** The record's own text, without framing. Of a record that was too large, its beginning. */
  readonly text: string
  /** The JSON value, or the text itself of a bare `[DONE]`. Meaningless where there is a problem. */
  readonly value: unknown
  /** The name that a server-sent event carried. */
  readonly name: string | undefined
  readonly problem: StreamError | undefined
}

/** Bytes in any split become the same records. Memory is bounded by one record. */
export interface Source {
  /** Records completed by these bytes. MUST NOT depend on where the bytes were cut. */
  feed(bytes: Uint8Array): RawRecord[]
  /** What a cleanly ended stream left unfinished, if anything. */
  end(): RawRecord[]
  /** The framing that it settled on, where the bytes decide; nothing before they have. */
  framing?(): SettledFraming | undefined
}

/** The framings between which the first bytes can decide. */
export type SettledFraming = 'sse' | 'json-lines' | 'json-array'

export interface SourceOptions {
  /** The largest record, in UTF-16 units. A larger one yields a record with a problem; its neighbours are unharmed. */
  readonly maxRecord?: number
}

export type CreateSource = (options?: SourceOptions) => Source

export const DEFAULT_MAX_RECORD = 8 * 1024 * 1024

/** How much of a record that was too large is kept, to show what it was. */
export const KEPT_OF_TOO_LARGE = 1024

/** The beginning of a record that comes in pieces, without a copy of the whole. */
export function beginningOf(pieces: readonly string[]): string {
  let text = ''
  for (const piece of pieces) {
    if (text.length >= KEPT_OF_TOO_LARGE) break
    text += piece.slice(0, KEPT_OF_TOO_LARGE - text.length)
  }
  return text
}

/** How streams say that they are over without saying it in JSON. */
export const TERMINATOR = '[DONE]'

/** A record from its text. */
export function recordOf(text: string, name?: string): RawRecord {
  if (text === TERMINATOR) return { text, value: text, name, problem: undefined }
  try {
    return { text, value: parseJson(text), name, problem: undefined }
  } catch (cause) {
    return { text, value: undefined, name, problem: new StreamError('record-not-json', text.slice(0, 40), { cause }) }
  }
}

/** A record whose rest was thrown away to keep memory bounded. */
export function tooLarge(start: string, limit: number, name?: string): RawRecord {
  const text = start.slice(0, KEPT_OF_TOO_LARGE)
  return { text, value: undefined, name, problem: new StreamError('record-too-large', String(limit)) }
}
