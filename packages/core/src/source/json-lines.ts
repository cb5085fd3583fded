import { lineSource } from './lines.ts'
import { type CreateSource, DEFAULT_MAX_RECORD, recordOf, tooLarge } from './source.ts'

/** One JSON value per line, as agents print it. A line that is not JSON is a record with a problem: log noise. */
export const jsonLines: CreateSource = ({ maxRecord = DEFAULT_MAX_RECORD } = {}) =>
  lineSource(maxRecord, (add) => ({
    onLine(line, isWhole) {
      if (!isWhole) add(tooLarge(line, maxRecord))
      else if (line.trim() !== '') add(recordOf(line))
    },
    end() {},
  }))
