import type { StreamEvent } from '../../src/events.ts'
import { createStamp } from '../../src/read/stamp.ts'
import { agUi } from '../../src/wire/ag-ui.ts'
import type { Chunk } from '../../src/wire/wire.ts'

/** The chunks of each event of a run that has started, one list per event. */
export function chunksOfEach(events: readonly StreamEvent[]): readonly (readonly Chunk[])[] {
  const wireState = agUi.create({ runId: 'run', threadId: 'thread' })
  const stamp = createStamp()
  wireState.push(stamp({ type: 'run-start' }, 0))
  return events.map((event) => wireState.push(stamp(event, 0)))
}

/** The types of the chunks, in order. */
export function typesOf(chunks: readonly Chunk[]): readonly unknown[] {
  return chunks.map(({ type }) => type)
}
