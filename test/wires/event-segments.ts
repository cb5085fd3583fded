import type { WireFacts } from '@millrace/testkit/format-laws'
import { eventSegmentsContent } from '../read-event-segments.ts'

export const facts: WireFacts = {
  opens: ({ type }) => type === 'run_start',
  ends: ({ type }) => type === 'complete',
  client: eventSegmentsContent,
}
