import type { WatchedWire } from '../facts.ts'
import { publicHalf } from '../public/ag-ui.ts'
import { agUiContent } from '../readers/ag-ui.ts'

export const facts: WatchedWire = {
  viewer: { by: 'sse', cuts: 0 },
  opens: ({ type }) => type === 'RUN_STARTED',
  ends: ({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR',
  publicHalf,
  streamsText: 'always',
  client: agUiContent,
}
