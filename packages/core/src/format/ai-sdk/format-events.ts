import type { StreamEvent } from '../../events.ts'
import { createStamp } from '../../stamp.ts'
import { aiSdk } from '../ai-sdk.ts'
import type { Chunk } from '../format.ts'

const run = { runId: 'run', threadId: 'thread' }

/** For tests: the chunks of each event of a run that has started, in lists of their own. */
export function chunksOfEach(events: readonly StreamEvent[], profile?: string): readonly (readonly Chunk[])[] {
  const formatter = aiSdk.create(profile === undefined ? run : { ...run, profile })
  const stamp = createStamp()
  formatter.push(stamp({ type: 'run-start' }, 0))
  return events.map((event) => formatter.push(stamp(event, 0)))
}
