import { allParsers, type Detection, detectFormat, sampleSize } from '@millrace/core/parse'
import type { RawRecord, Source } from '@millrace/core/source'
import { Failure } from './exit.ts'
import type { Input } from './input.ts'

/** The records that were read from the input so far. */
export interface FirstRecords {
  readonly records: readonly RawRecord[]
  readonly isAll: boolean
}

export const noRecords: FirstRecords = { records: [], isAll: false }

/** Reads until there are enough records to detect a format, or to the end. */
export async function readFirstRecords(input: Input, source: Source): Promise<FirstRecords> {
  const records: RawRecord[] = []
  while (sampleSize(records) === undefined) {
    const bytes = await input.read()
    if (bytes === undefined) return { records: [...records, ...source.end()], isAll: true }
    for (const record of source.feed(bytes)) records.push(record)
  }
  return { records, isAll: false }
}

/** Detects the format. The result depends on the bytes alone, not on the chunks they were read in. */
export function detectAmong({ records }: FirstRecords): Detection {
  return detectFormat(allParsers(), records.slice(0, sampleSize(records)))
}

export function notRecognised(reason: string, hint?: string): Failure {
  return new Failure('notRecognised', 'format-not-recognised', `The format was not recognised: ${reason}`, hint)
}
