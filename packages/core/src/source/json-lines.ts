import { createDecoder } from './decode.ts'
import { createLines } from './lines.ts'
import { type CreateSource, DEFAULT_MAX_RECORD, type RawRecord, recordOf, tooLarge } from './source.ts'

/** One JSON value a line, as agents print to stdout. A line that is not JSON is a record with a problem: log noise. */
export const jsonLines: CreateSource = ({ maxRecord = DEFAULT_MAX_RECORD } = {}) => {
  const decoder = createDecoder()
  let records: RawRecord[] = []
  const lines = createLines(maxRecord, (line, isWhole) => {
    if (!isWhole) records.push(tooLarge(line, maxRecord))
    else if (line.trim() !== '') records.push(recordOf(line))
  })

  function take(): RawRecord[] {
    const taken = records
    records = []
    return taken
  }

  return {
    feed(bytes) {
      lines.feed(decoder.decode(bytes))
      return take()
    },
    end() {
      lines.feed(decoder.end())
      lines.end()
      return take()
    },
  }
}
