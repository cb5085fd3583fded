import { getParser } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { getSource } from '@millrace/core/source'

/** How a response has ended. */
export type ResponseEnd =
  /** The provider has said that it is over; `cut`: in the middle of a call, which nobody can run. */
  | 'complete'
  | 'cut'
  /** The stream says what went wrong. */
  | 'failed'
  /** It stopped without an end. */
  | 'broken-off'

/** Reads the bytes of one response, only to know how it ends. What it says is read where it is logged. */
export interface ResponseWatch {
  feed(bytes: Uint8Array): void
  end(): ResponseEnd
}

export function watchResponse(format: string): ResponseWatch {
  const source = getSource('sse')()
  const parser = getParser(format)
  const reader = createReader(parser)
  let hasFailed = false

  function read(records: ReturnType<typeof source.feed>): void {
    for (const record of records) reader.push(record)
  }

  return {
    feed: (bytes) => read(source.feed(bytes)),
    end() {
      read(source.end())
      const events = reader.end()
      const end = events.at(-1)
      if (end?.type !== 'run-end' || end.outcome === 'interrupted') return 'broken-off'
      hasFailed = end.outcome === 'error'
      if (hasFailed) return 'failed'
      return events.some(({ type }) => type === 'tool-output') ? 'cut' : 'complete'
    },
  }
}
