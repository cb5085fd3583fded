import type { Chunk } from '@millrace/core/wire/wire'
import type { WatchedWire } from '../facts.ts'
import { publicHalf } from '../public/ag-ui.ts'
import { agUiContent } from '../readers/ag-ui.ts'

const own = {
  opens: ({ type }: Chunk) => type === 'RUN_STARTED',
  ends: ({ type }: Chunk) => type === 'RUN_FINISHED' || type === 'RUN_ERROR',
  publicHalf,
  streamsText: 'always',
  client: agUiContent,
} as const

const isThought = 'the text of a subagent is a thought there: `npm run clients` compares what the older clients hold'

export const facts: WatchedWire = {
  ...own,
  viewer: { by: 'sse', cuts: 0 },
  profiles: { 0: { ...own, publicHalf: { none: isThought }, client: { none: isThought } } },
}
