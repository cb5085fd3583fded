import { parsers } from '@millrace/core/parse'
import { DETECT_WITHIN, type Detection, detectFormat } from '@millrace/core/parse/detect'
import { getSource } from '@millrace/core/source'
import type { RawRecord } from '@millrace/core/source/source'

/** So many bytes tell a format. */
const SAMPLE = 1024 * 1024

export const formatNames: readonly string[] = Object.keys(parsers)

/** Names the format of a file by its first records, in this browser. */
export async function detectRecording(file: Blob): Promise<Detection> {
  const source = getSource('auto')()
  const bytes = new Uint8Array(await file.slice(0, SAMPLE).arrayBuffer())
  const records: RawRecord[] = source.feed(bytes)
  // What the sample has cut in two is no record.
  if (file.size <= SAMPLE) records.push(...source.end())
  return detectFormat(parsers, records.slice(0, DETECT_WITHIN))
}
