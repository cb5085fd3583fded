import { DETECT_WITHIN, detectFormat, parsers } from '@millrace/core/parse'
import { getSource, type RawRecord } from '@millrace/core/source'
import { formatTitle } from '@millrace/react'

/** This many bytes are enough to detect a format. */
const SAMPLE = 1024 * 1024

/** `refused`: it cannot be an agent's stream. `unsure`: a person has to say the format; the likeliest comes first. */
export type Examined =
  | { readonly state: 'recognised'; readonly format: string }
  | {
      readonly state: 'unsure'
      readonly reason: string
      readonly guess: string | undefined
      readonly formats: readonly string[]
    }
  | { readonly state: 'refused'; readonly reason: string }

const refused = (reason: string): Examined => ({ state: 'refused', reason })

/** Detects the format of a file from its first records, in this browser. */
export async function examineRecording(file: Blob): Promise<Examined> {
  if (file.size === 0) return refused('The file is empty.')
  const bytes = new Uint8Array(await file.slice(0, SAMPLE).arrayBuffer())
  if (!isText(bytes)) return refused('It is not text: a recording is JSON lines, server-sent events or a JSON array.')
  const source = getSource('auto')()
  const records: RawRecord[] = source.feed(bytes)
  // A record that is cut at the end of the sample does not count.
  if (file.size <= SAMPLE) records.push(...source.end())
  if (records.every(({ problem }) => problem !== undefined)) {
    return refused('It has no JSON in it: a recording is JSON lines, server-sent events or a JSON array.')
  }
  const detection = detectFormat(parsers, records.slice(0, DETECT_WITHIN))
  if (detection.format !== undefined) return { state: 'recognised', format: detection.format }
  const { reason, guess } = detection
  return { state: 'unsure', reason: spoken(reason), guess, formats: formatsWith(guess) }
}

/** Whether bytes are UTF-8 without NUL. A character that is cut at the end is none the less text. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** All formats by their titles, the guess first. */
function formatsWith(guess: string | undefined): readonly string[] {
  const others = Object.keys(parsers).filter((format) => format !== guess)
  others.sort((one, other) => formatTitle(one).localeCompare(formatTitle(other), 'en'))
  return guess === undefined ? others : [guess, ...others]
}

/** A person reads the titles of formats, not their names. */
const spoken = (reason: string) => reason.replace(/[a-z0-9-]+/g, (word) => (word in parsers ? formatTitle(word) : word))
