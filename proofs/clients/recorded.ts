import type { Entry } from '@millrace/core/entry'
import type { EventOf, StreamEvent } from '@millrace/core/events'
import { getParser } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import type { Recording } from '@millrace/testkit/recordings'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'

/** A recording that is played to clients, with the facts that need no server. */
export interface Recorded {
  readonly name: string
  readonly format: string
  readonly bytes: Uint8Array
  readonly entries: readonly Entry[]
  readonly end: EventOf<'run-end'>
  readonly asks: boolean
  /** The recorded answers to its questions, by approval id. Questions that it ends with are not included. */
  readonly answers: ReadonlyMap<string, boolean>
  /** Whether it goes on after a question that is about no call, which a chat cannot answer. */
  readonly goesOnBeside: boolean
  /** Whether calls end while a question is open that it never answers: a client reads their outputs when it comes back. */
  readonly goesOnUnanswered: boolean
  /** Whether a chat can reconnect while the run is live and read all of it. */
  readonly canComeBack: boolean
  /** Whether it ends with open calls that the client has to run. */
  readonly isLeftToClient: boolean
}

/** All recordings of a format: the fixtures, and those of the corpus if there is one. */
export function recordedOf(format: string): readonly Recorded[] {
  const corpus = corpusOf(format)
  const others = 'absent' in corpus ? [] : corpus.recordings
  return [...fixturesOf(format), ...others].map((recording) => describeRecording(format, recording))
}

export function describeRecording(format: string, { name, bytes, records }: Recording): Recorded {
  const events = eventsOf(getParser(format), records)
  const end = events.at(-1)
  if (end?.type !== 'run-end') throw new Error(`${name} does not end.`)
  const asks = events.some(({ type }) => type === 'approval')
  const answered = events.filter((event) => event.type === 'approval' && event.state !== 'requested')
  const goesOnBeside = answered.some((event) => event.type === 'approval' && event.callId === undefined)
  const answers = answersIn(events)
  return {
    name,
    format,
    bytes,
    entries: entriesOf(events),
    end,
    asks,
    answers,
    goesOnBeside,
    goesOnUnanswered: goesOnUnanswered(events, answers),
    // The agent's stream does not answer its own questions, so a client that only reads stops at the first one.
    canComeBack: !asks,
    isLeftToClient: isLeftToClient(events),
  }
}

/** The answers in the stream. A question that the stream does not wait for is approved. */
function answersIn(events: readonly StreamEvent[]): ReadonlyMap<string, boolean> {
  const answers = new Map<string, boolean>()
  const open = new Set<string>()
  for (const event of events) {
    if (event.type === 'tool-start' || event.type === 'block-start') for (const id of open) answers.set(id, true)
    if (event.type !== 'approval') continue
    if (event.state === 'requested') open.add(event.approvalId)
    else {
      open.delete(event.approvalId)
      answers.set(event.approvalId, event.state === 'approved' || event.state === 'answered')
    }
  }
  return answers
}

function goesOnUnanswered(events: readonly StreamEvent[], answers: ReadonlyMap<string, boolean>): boolean {
  const isLeftOpen = (event: StreamEvent) => event.type === 'approval' && !answers.has(event.approvalId)
  const question = events.findIndex(isLeftOpen)
  return question !== -1 && events.slice(question).some(({ type }) => type === 'tool-output')
}

function isLeftToClient(events: readonly StreamEvent[]): boolean {
  const calls = new Set<string>()
  for (const event of events) {
    if (event.type === 'tool-start' && event.runBy === 'client') calls.add(event.callId)
    else if (event.type === 'tool-output' && event.status !== 'cancelled') calls.delete(event.callId)
  }
  return calls.size > 0
}
