import { type Problem, problemOf } from '../errors.ts'
import { mayBeJson, parseJson } from '../json.ts'

/** One raw record: what the framework sent, as it sent it. */
export interface RawRecord {
  /** The record's own text, without framing. Of a record that was too large, its beginning. */
  readonly text: string
  /** The JSON value, or the text itself of a bare `[DONE]`. Meaningless where there is a problem. */
  readonly value: unknown
  /** The name that a server-sent event carried. */
  readonly name: string | undefined
  readonly problem: Problem | undefined
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

/** How streams say that they are over without saying it in JSON. */
export const TERMINATOR = '[DONE]'

/** A record from its text. */
export function recordOf(text: string, name?: string): RawRecord {
  if (text === TERMINATOR) return { text, value: text, name, problem: undefined }
  if (!mayBeJson(text)) return notJson(text, name)
  try {
    return { text, value: parseJson(text), name, problem: undefined }
  } catch {
    return notJson(text, name)
  }
}

function notJson(text: string, name: string | undefined): RawRecord {
  return { text, value: undefined, name, problem: problemOf('record-not-json', text.slice(0, 40)) }
}

/** A record whose rest was thrown away to keep memory bounded. */
export function tooLarge(start: string, limit: number, name?: string): RawRecord {
  const problem = problemOf('record-too-large', String(limit))
  return { text: beginningOf(start), value: undefined, name: name && beginningOf(name), problem }
}

const beginningOf = (text: string) => text.slice(0, KEPT_OF_TOO_LARGE)
