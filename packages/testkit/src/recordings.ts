import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Framing, getSource, type RawRecord, type SourceOptions } from '@millrace/core/source'

/** A stream as an agent sent it. */
export interface Recording {
  /** Folder and file, for the message of a failure. */
  readonly name: string
  readonly bytes: Uint8Array
  /** How records are laid out in the bytes. */
  readonly framing: Framing
  readonly records: readonly RawRecord[]
  /** The file with the expected events: one JSON line each. Without it, the events are compared with nothing. */
  readonly golden?: string
  /** The format that it is detected as, if not that of its parser: another, or `null` if detection is unsure. */
  readonly detectedAs?: string | null
  /** Millrace wrote it, and has added what the format itself cannot express. */
  readonly isWrittenByMillrace?: boolean
}

const FRAMINGS: { readonly [extension: string]: Framing | undefined } = {
  jsonl: 'json-lines',
  sse: 'sse',
  json: 'json-array',
}

/**
 * Every `.jsonl`, `.sse` and `.json` file of a folder as a recording, in the order of their names. The golden file of
 * `case.jsonl` is `case.golden`.
 */
export function recordingsIn(folder: string | URL): readonly Recording[] {
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder)
  if (!existsSync(path)) throw new Error(`recordingsIn: the folder "${path}" does not exist.`)
  return recordingFiles(path).map((file) => {
    const golden = join(path, `${file.slice(0, file.lastIndexOf('.'))}.golden`)
    return { ...recordingFile(join(path, file), `${basename(path)}/${file}`), golden }
  })
}

/** A recording of these bytes. It has no golden file. */
export function recordingOf(name: string, bytes: Uint8Array, framing: Framing): Recording {
  if (!(bytes instanceof Uint8Array)) {
    throw new TypeError(`recordingOf("${name}"): bytes must be a Uint8Array, and is of type ${typeof bytes}.`)
  }
  return { name, bytes, framing, records: recordsOf(framing, [bytes]) }
}

/** The recording in a file, whose framing is that of its extension. */
export function recordingFile(path: string, name: string): Recording {
  return recordingOf(name, readFileSync(path), FRAMINGS[extensionOf(path)] ?? 'auto')
}

/** The names of the recordings in a folder. */
export function recordingFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((file) => FRAMINGS[extensionOf(file)] !== undefined)
    .sort()
}

/** The records of bytes that arrive in these slices. */
export function recordsOf(
  framing: Framing,
  slices: readonly Uint8Array[],
  options: SourceOptions = {},
): readonly RawRecord[] {
  const source = getSource(framing)(options)
  return [...slices.flatMap((slice) => source.feed(slice)), ...source.end()]
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
}
