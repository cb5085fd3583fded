import type { StreamEvent } from '../../events.ts'
import { createStamp } from '../../stamp.ts'
import { agUi } from '../ag-ui.ts'
import type { Chunk } from '../format.ts'

/** For tests: the chunks of each event of a run that has started, in lists of their own. */
export function chunksOfEach(events: readonly StreamEvent[]): readonly (readonly Chunk[])[] {
  const formatter = agUi.create({ runId: 'run', threadId: 'thread' })
  const stamp = createStamp()
  formatter.push(stamp({ type: 'run-start' }, 0))
  return events.map((event) => formatter.push(stamp(event, 0)))
}

/** For tests: the types of the chunks, in order. */
export function typesOf(chunks: readonly Chunk[]): readonly unknown[] {
  return chunks.map(({ type }) => type)
}
