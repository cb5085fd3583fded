import type { StreamEvent } from '../../src/events.ts'
import { createStamp } from '../../src/read/stamp.ts'
import { eventSegments } from '../../src/wire/event-segments.ts'
import type { Chunk } from '../../src/wire/wire.ts'

/** The chunks of each event of a run that has started, one list per event. */
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

/** The chunks without chunks and fields that only Millrace reads. */
export function withoutMillrace(chunks: readonly Chunk[]): readonly Chunk[] {
  return chunks.filter(({ type }) => type !== 'millrace').map(({ millrace: _own, ...chunk }) => chunk)
}
