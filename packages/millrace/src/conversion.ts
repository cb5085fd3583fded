import type { StreamEvent } from '@millrace/core/events'
import type { StoreFile } from '@millrace/core/files'
import { getParser, type Parser } from '@millrace/core/parse'
import { createReader, createStamp } from '@millrace/core/read'
import type { RawRecord, Source } from '@millrace/core/source'
import { detectAmong, type FirstRecords, noRecords, notRecognised, readFirstRecords } from './first-records.ts'
import { formatHint } from './formats.ts'
import type { Input } from './input.ts'
import type { Output } from './output.ts'
import type { Tally } from './tally.ts'
import type { TargetWriter } from './targets.ts'

/** How the records of a stream are read. */
export interface Recognised {
  readonly format: string
  /** Why the format was detected; undefined if it was named. */
  readonly reason: string | undefined
  readonly parser: Parser
  /** The records that were read to detect it. */
  readonly first: FirstRecords
}

/** Returns the named format, or detects it. Throws a `Failure` if it is not recognised. */
export async function recognise(
  format: string,
  namedParser: Parser | undefined,
  input: Input,
  source: Source,
): Promise<Recognised> {
  if (namedParser !== undefined) return { format, reason: undefined, parser: namedParser, first: noRecords }
  const first = await readFirstRecords(input, source)
  const detection = detectAmong(first)
  if (detection.format === undefined) throw notRecognised(detection.reason, `Name it with --from. ${formatHint()}`)
  return { ...detection, parser: getParser(detection.format), first }
}

interface Route {
  readonly input: Input
  readonly source: Source
  readonly recognised: Recognised
  readonly writer: TargetWriter
  readonly output: Output
  readonly tally: Tally
}

/** Reads to the end and writes after each chunk of input. Returns the number of records. */
export async function convertAll({ input, source, recognised, writer, output, tally }: Route): Promise<number> {
  // A conversion is a pure function of its input: it has no place where it could store a file.
  const leaveOut: StoreFile = ({ size }) => void tally.leaveOut(size)
  const reader = createReader(recognised.parser, { storeFile: leaveOut })
  const stamp = createStamp()
  let records = 0

  function put(events: readonly StreamEvent[]): void {
    for (const event of events) {
      tally.count(event)
      writer.push(stamp(event, records))
    }
  }

  function take(batch: readonly RawRecord[]): void {
    for (const record of batch) {
      records++
      put(reader.push(record))
    }
  }

  take(recognised.first.records)
  await output.flush()
  if (!recognised.first.isAll) {
    for (let bytes = await input.read(); bytes !== undefined; bytes = await input.read()) {
      take(source.feed(bytes))
      await output.flush()
    }
    take(source.end())
  }
  put(reader.end())
  writer.end()
  await output.flush()
  return records
}
