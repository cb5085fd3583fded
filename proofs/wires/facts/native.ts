import type { Json } from '@millrace/core/json'
import type { WatchedWire } from '../facts.ts'

export const facts: WatchedWire = {
  viewer: undefined,
  opens: ({ event }) => typeOf(event) === 'run-start',
  ends: ({ event }) => typeOf(event) === 'run-end',
  publicHalf: { none: 'its chunks are the entries, and all of it is public' },
  streamsText: 'always',
  client: { none: 'its client is the fold, which has a suite of its own' },
}

function typeOf(event: Json | undefined): unknown {
  return (event as { readonly type?: unknown } | undefined)?.type
}
