import type { Chunk } from '@millrace/core/wire/wire'
import type { WatchedWire } from '../facts.ts'
import { publicHalf } from '../public/ds-agent.ts'
import { dsAgentContent } from '../readers/ds-agent.ts'

/** The protocol has no message for the end of a run: our `run-end` is in the last message. */
export const facts: WatchedWire = {
  viewer: { by: 'websocket', cuts: 3 },
  ends: (chunk) => eventTypes(chunk).includes('run-end'),
  publicHalf,
  streamsText: { none: 'Each message has the whole text so far, at a bounded pace.' },
  client: dsAgentContent,
}

function eventTypes({ metadata }: Chunk): readonly string[] {
  const { millrace } = metadata as { millrace?: { events?: readonly { readonly type: string }[] } }
  return millrace?.events?.map(({ type }) => type) ?? []
}
