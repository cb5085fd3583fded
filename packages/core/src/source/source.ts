import { type Problem, problemOf } from '../errors.ts'
import { mayBeJson, parseJson } from '../json.ts'

/** One raw record, as the framework sent it. */
export interface RawRecord {
  /** The record's text, without framing. For a record that was too large, its beginning. */
  readonly text: string
  /** The JSON value, or the text itself for a bare `[DONE]`. Meaningless if there is a problem. */
  readonly value: unknown
  /** The name of a server-sent event. */
  readonly name: string | undefined
  readonly problem: Problem | undefined
}

/** The same bytes give the same records, wherever they are cut. Memory is bounded by one record. */
export interface Source {
  /** Records completed by these bytes. MUST NOT depend on where the bytes were cut. */
  feed(bytes: Uint8Array): RawRecord[]
  /** The records that a cleanly ended stream left unfinished, if any. */
  end(): RawRecord[]
  /** The detected framing of a source that detects it; undefined before that. */
  framing?(): DetectedFraming | undefined
}

/** The framings that the first bytes can distinguish. */
export type DetectedFraming = 'sse' | 'json-lines' | 'json-array'

export interface SourceOptions {
  /** The largest record, in UTF-16 units. A larger one becomes a record with a problem; others are not affected. */
  readonly maxRecord?: number
}

export type CreateSource = (options?: SourceOptions) => Source

export const DEFAULT_MAX_RECORD = 8 * 1024 * 1024

/** How many characters of a record that was too large are kept, to show what it was. */
export const KEPT_OF_TOO_LARGE = 1024

/** How streams end that do not signal it in JSON. */
export const TERMINATOR = '[DONE]'

const OPENING_BRACE = 123
const CLOSING_BRACE = 125

/** A record from its text. */
export function recordOf(text: string, name?: string): RawRecord {
  // Nearly every record is an object, which needs no further look (bench/rows/parse.ts).
  const isObject = text.charCodeAt(0) === OPENING_BRACE && text.charCodeAt(text.length - 1) === CLOSING_BRACE
  if (text === TERMINATOR) return { text, value: text, name, problem: undefined }
  if (!isObject && !mayBeJson(text)) return notJson(text, name)
  try {
    return { text, value: parseJson(text), name, problem: undefined }
  } catch {
    return notJson(text, name)
  }
}

function notJson(text: string, name: string | undefined): RawRecord {
  return { text, value: undefined, name, problem: problemOf('record-not-json', text.slice(0, 40)) }
}

/** A record of which only the beginning is kept, so that memory stays bounded. */
export function tooLarge(start: string, limit: number, name?: string): RawRecord {
  const problem = problemOf('record-too-large', String(limit))
  return { text: beginningOf(start), value: undefined, name: name && beginningOf(name), problem }
}

const beginningOf = (text: string) => text.slice(0, KEPT_OF_TOO_LARGE)
