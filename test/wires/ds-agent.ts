import type { Chunk } from '@millrace/core/format/format'
import type { WireFacts } from '@millrace/testkit/format-laws'
import { dsAgentContent } from '../read-ds-agent.ts'

/** The protocol has no word for the end of a run: ours goes with its last message. */
export const facts: WireFacts = {
  ends: (chunk) => eventTypes(chunk).includes('run-end'),
  client: dsAgentContent,
}

function eventTypes({ metadata }: Chunk): readonly string[] {
  const { millrace } = metadata as { millrace?: { events?: readonly { readonly type: string }[] } }
  return millrace?.events?.map(({ type }) => type) ?? []
}
