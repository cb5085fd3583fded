import type { StreamEvent } from '../../src/events.ts'
import { createStamp } from '../../src/read/stamp.ts'
import { eventSegments } from '../../src/wire/event-segments.ts'
import type { Chunk } from '../../src/wire/wire.ts'

/** For tests: the chunks of each event of a run that has started, in lists of their own. */
export function chunksOfEach(events: readonly StreamEvent[], profile?: string): readonly (readonly Chunk[])[] {
  const wireState = eventSegments.create({
    runId: 'run',
    threadId: 'thread',
    ...(profile !== undefined && { profile }),
  })
  const stamp = createStamp()
  wireState.push(stamp({ type: 'run-start' }, 0))
  return events.map((event) => wireState.push(stamp(event, 0)))
}

/** For tests: chunks without what is meant for Millrace alone. */
export function seenBy(chunks: readonly Chunk[]): readonly Chunk[] {
  return chunks.filter(({ type }) => type !== 'millrace').map(({ millrace: _own, ...chunk }) => chunk)
}
