import type { Entry, StreamEvent } from '@millrace/core/events'
import { balance, type CreatePass, pipe, settle } from '@millrace/core/normalize'
import type { Parser } from '@millrace/core/parse'
import fc from 'fast-check'
import type { Run } from './fold-laws.ts'
import { eventsOf } from './read-recording.ts'
import type { Recording } from './recordings.ts'
import { wellFormed } from './streams.ts'

/** The entries that a log would hold, with a clock that advances by 1 ms per entry. */
export function entriesOf(events: readonly StreamEvent[]): Entry[] {
  return events.map((event, index) => ({ seq: index + 1, at: 1_000 + index, event, rawThrough: index }))
}

/** The output of these passes for a complete stream. */
export function runPasses(passes: readonly CreatePass[], events: readonly StreamEvent[]): StreamEvent[] {
  const out: StreamEvent[] = []
  const pass = pipe(passes, (event) => out.push(event))
  for (const event of events) pass.push(event)
  pass.end()
  return out
}

/** The output of `settle` and `balance` for a complete stream. */
export function balanced(events: readonly StreamEvent[]): StreamEvent[] {
  return runPasses([settle, balance], events)
}

/** The run that a recording of this parser's format becomes. */
export function recordedRun(parser: Parser, { name, records }: Recording): Run {
  return { name, entries: entriesOf(eventsOf(parser, records)) }
}

/** Runs of generated well-formed streams, the same for the same seed. */
export function generatedRuns(count: number, seed: number): readonly Run[] {
  return fc.sample(wellFormed, { numRuns: count, seed }).map((events, index) => ({
    name: `generated ${index} of seed ${seed}`,
    entries: entriesOf(events),
  }))
}

/** A run that ends with an approval request, which few generated runs do. */
export const waitingRun: Run = {
  name: 'a run that waits for an answer',
  entries: entriesOf([
    { type: 'run-start' },
    { type: 'message-start', messageId: 'message', role: 'assistant' },
    { type: 'tool-start', callId: 'call', name: 'search', runBy: 'agent' },
    { type: 'tool-input', callId: 'call', input: {} },
    { type: 'approval', approvalId: 'approval', callId: 'call', state: 'requested', message: 'May I search?' },
    { type: 'message-end', messageId: 'message' },
    { type: 'run-end', outcome: 'awaiting-input' },
  ]),
}
