import type { EventOf } from '../../events.ts'

/**
 * The outputs of calls that nobody will answer, because the answer that holds them was cut short. Otherwise `balance`
 * takes an open call that the client runs for one whose output is awaited.
 */
export function cutCalls(callIds: Iterable<string>): EventOf<'tool-output'>[] {
  return Array.from(callIds, (callId) => ({ type: 'tool-output', callId, status: 'cancelled', output: null }))
}
