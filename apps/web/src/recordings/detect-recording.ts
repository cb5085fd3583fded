import { DETECT_WITHIN, type Detection, detectFormat, parsers } from '@millrace/core/parse'
import { getSource, type RawRecord } from '@millrace/core/source'

/** This many bytes are enough to detect a format. */
const SAMPLE = 1024 * 1024

export const formatNames: readonly string[] = Object.keys(parsers)

/** Detects the format of a file from its first records, in this browser. */
export async function detectRecording(file: Blob): Promise<Detection> {
  const source = getSource('auto')()
  const bytes = new Uint8Array(await file.slice(0, SAMPLE).arrayBuffer())
  const records: RawRecord[] = source.feed(bytes)
  // A record that is cut at the end of the sample does not count.
  if (file.size <= SAMPLE) records.push(...source.end())
  return detectFormat(parsers, records.slice(0, DETECT_WITHIN))
}
