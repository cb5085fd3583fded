import type { StreamEvent } from '@millrace/core/events'
import { getParser } from '@millrace/core/parse'
import { getSource, type RawRecord } from '@millrace/core/source'

/**
 * How a response has ended. `cut`: the model had no room left, in the middle of a call, which nobody can run. `failed`: the
 * stream itself says what went wrong. `broken-off`: it stopped without an end.
 */
export type ResponseEnd = 'complete' | 'cut' | 'failed' | 'broken-off'

/** Reads the bytes of one response, only to know how it ends. What it says is read where it is logged. */
export interface ResponseWatch {
  feed(bytes: Uint8Array): void
  end(): ResponseEnd
}

export function watchResponse(format: string): ResponseWatch {
  const source = getSource('sse')()
  const parser = getParser(format).create()
  let hasFailed = false

  /** Whatever the parser does not understand is no end. */
  function eventsOf(parse: () => readonly StreamEvent[]): readonly StreamEvent[] {
    try {
      return parse()
    } catch {
      return []
    }
  }

  function read(records: readonly RawRecord[]): void {
    for (const record of records) {
      if (record.problem !== undefined || typeof record.value === 'string') continue
      for (const event of eventsOf(() => parser.push(record.value, record))) hasFailed ||= isFailure(event)
    }
  }

  return {
    feed: (bytes) => read(source.feed(bytes)),
    end() {
      read(source.end())
      const events = eventsOf(() => parser.end())
      if (hasFailed || events.some(isFailure)) return 'failed'
      if (!events.some(({ type }) => type === 'run-end')) return 'broken-off'
      return events.some(({ type }) => type === 'tool-output') ? 'cut' : 'complete'
    },
  }
}

const isFailure = (event: StreamEvent) => event.type === 'run-end' && event.outcome === 'error'
