import { createDecoder } from './decode.ts'
import { createLines, type OnLine } from './lines.ts'
import type { RawRecord, Source } from './source.ts'

/** A source that reads lines: bytes are decoded and split here, and what the lines complete is collected. */
export function lineSource(
  maxLine: number,
  create: (add: (record: RawRecord) => void) => { readonly onLine: OnLine; readonly end: () => void },
): Source {
  const decoder = createDecoder()
  let records: RawRecord[] = []
  const reader = create((record) => {
    records.push(record)
  })
  const lines = createLines(maxLine, reader.onLine)

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
      reader.end()
      return take()
    },
  }
}
