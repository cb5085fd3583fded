import type { StreamEvent } from '@millrace/core/events'
import { getParser } from '@millrace/core/parse'
import { getSource } from '@millrace/core/source'

/** Reads the bytes of a stream, only to know how it ends. What it says is read where it is logged. */
export interface EndWatch {
  feed(bytes: Uint8Array): void
  /** What the parser makes of the end, and whether the stream itself says that it has failed. */
  end(): { readonly events: readonly StreamEvent[]; readonly hasFailed: boolean }
}

export function watchEnd(format: string, framing: 'sse' | 'json-lines'): EndWatch {
  const source = getSource(framing)()
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

  function read(records: ReturnType<typeof source.feed>): void {
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
      return { events, hasFailed: hasFailed || events.some(isFailure) }
    },
  }
}

const isFailure = (event: StreamEvent) => event.type === 'run-end' && event.outcome === 'error'
