import type { StreamEvent } from '../../src/events.ts'
import { createStamp } from '../../src/read/stamp.ts'
import { agentEvent } from '../../src/wire/agent-event.ts'
import type { Chunk } from '../../src/wire/wire.ts'

/** The chunks of a run with the id `run`. */
export function chunksOf(events: readonly StreamEvent[], profile?: string): readonly Chunk[] {
  const wireState = agentEvent.create({ runId: 'run', threadId: 'thread', ...(profile !== undefined && { profile }) })
  const stamp = createStamp()
  return events.flatMap((event) => wireState.push(stamp(event, 0)))
}

export const start: StreamEvent = { type: 'run-start' }
export const end: StreamEvent = { type: 'run-end', outcome: 'success' }

/** The chunks of a run of these events, without the last. */
export function chunksBefore(...events: readonly StreamEvent[]): readonly Chunk[] {
  return chunksOf([start, ...events, end]).slice(0, -1)
}

/** The protocol's own fields. */
export function protocolFields(chunks: readonly Chunk[]): readonly Chunk[] {
  return chunks.map((chunk) => Object.fromEntries(Object.entries(chunk).filter(([field]) => !EXTRA_FIELDS.has(field))))
}

const EXTRA_FIELDS: ReadonlySet<string> = new Set(['callId', 'parentCallId', 'runId', 'seq', 'at', 'millrace'])
