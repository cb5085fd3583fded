import type { Entry } from '../src/entry.ts'
import type { StreamEvent } from '../src/events.ts'

/** Entries one second apart, within one assistant message. */
export function entries(...events: readonly StreamEvent[]): Entry[] {
  const opened: StreamEvent[] = [
    { type: 'run-start' },
    { type: 'message-start', messageId: 'm', role: 'assistant' },
    ...events,
  ]
  return opened.map((event, index) => ({ seq: index + 1, at: (index + 1) * 1000, event, rawThrough: 0 }))
}
