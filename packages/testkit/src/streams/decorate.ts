import type { StreamEvent } from '@millrace/core/events'

const FIRST_TIME = 5_000

/** The stream with markers in its texts, and with the times and the metadata of a provider that it carries. */
export function decorated(
  events: readonly StreamEvent[],
  clock: 'none' | 'some' | 'all',
  notedEach: number,
): StreamEvent[] {
  return events.map((event, index) => {
    const hasTime = clock === 'all' || (clock === 'some' && index % 3 === 0)
    return {
      ...withMarker(event, index),
      // Now and then the framework's clock goes back.
      ...(hasTime && { sentAt: FIRST_TIME + 10 * index - (index % 7 === 6 ? 25 : 0) }),
      ...(index % notedEach === 0 && { meta: { anthropic: { note: `n${index}n` } } }),
    }
  })
}

/** A patch begins with its marker: it never only continues what was streamed. */
function withMarker(event: StreamEvent, index: number): StreamEvent {
  if (event.type === 'block-delta') return { ...event, text: `${event.text}w${index}w` }
  if (event.type !== 'block-patch' || event.text === undefined) return event
  return { ...event, text: `p${index}p${event.text}` }
}
