import type { WatchedWire } from '../facts.ts'
import { publicHalf } from '../public/event-segments.ts'
import { eventSegmentsContent } from '../readers/event-segments.ts'

export const facts: WatchedWire = {
  viewer: { by: 'sse', cuts: 0 },
  opens: ({ type }) => type === 'run_start',
  ends: ({ type }) => type === 'complete',
  publicHalf,
  streamsText: 'while last',
  client: eventSegmentsContent,
}
