import type { Json } from '@millrace/core/json'
import type { WireFacts } from '@millrace/testkit/format-laws'

export const facts: WireFacts = {
  opens: ({ event }) => typeOf(event) === 'run-start',
  ends: ({ event }) => typeOf(event) === 'run-end',
  client: { none: 'its client is the fold, which has a suite of its own' },
}

function typeOf(event: Json | undefined): unknown {
  return (event as { readonly type?: unknown } | undefined)?.type
}
