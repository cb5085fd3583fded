import type { StreamEvent } from '@millrace/core/events'
import { registerParser } from '@millrace/core/parse'
import { afterAll } from 'vitest'
import { bytesOf } from './run-parts.ts'

/** A format whose records hold lists of events. Registered until the tests of the file are over. */
export const EVENT_LISTS = 'event-lists'

export function registerEventLists(): void {
  const remove = registerParser(EVENT_LISTS, {
    version: 1,
    losses: {},
    recognize: () => undefined,
    create: () => ({
      push: (value) => (value as { events: StreamEvent[] }).events,
      end: () => [{ type: 'run-end', outcome: 'success' }],
    }),
  })
  afterAll(remove)
}

/** A stream of that format: each list is one record. */
export const eventLists = (...records: readonly (readonly object[])[]): Uint8Array =>
  bytesOf(records.map((events) => `${JSON.stringify({ events })}\n`).join(''))
