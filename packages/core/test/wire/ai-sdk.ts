import type { StreamEvent } from '../../src/events.ts'
import { createStamp } from '../../src/read/stamp.ts'
import { aiSdk } from '../../src/wire/ai-sdk.ts'
import type { Chunk } from '../../src/wire/wire.ts'

const run = { runId: 'run', threadId: 'thread' }

/** The chunks of each event of a run that has started, one list per event. */
export function chunksOfEach(events: readonly StreamEvent[], profile?: string): readonly (readonly Chunk[])[] {
  const wireState = aiSdk.create(profile === undefined ? run : { ...run, profile })
  const stamp = createStamp()
  wireState.push(stamp({ type: 'run-start' }, 0))
  return events.map((event) => wireState.push(stamp(event, 0)))
}
