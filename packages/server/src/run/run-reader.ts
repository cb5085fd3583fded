import type { Entry } from '@millrace/core/entry'
import type { StreamEvent } from '@millrace/core/events'
import { getParser } from '@millrace/core/parse'
import { createReader, type Reader } from '@millrace/core/read'
import { recordOf } from '@millrace/core/source/source'
import type { LoggedInput, StoredRun } from '../log/log.ts'

/** How a run's inputs are read: the same for a new, a restored and a verified run. */

/**
 * In a run of one of the server's agents only the server answers approvals: an answer in the agent's own stream is
 * ignored. Throws if no parser has the name of the run's format.
 */
export function createRunReader({ format, agent }: Pick<StoredRun, 'format' | 'agent'>): Reader {
  return createReader(getParser(format), { areAnswersRead: agent === undefined })
}

/** The events of one input. Their maker is the maker of the input. */
export function readInput(reader: Reader, input: LoggedInput): readonly StreamEvent[] {
  if (input.by === 'producer') return reader.push(recordOf(input.text, input.name))
  return input.event.type === 'run-end' ? reader.close(input.event) : reader.add(input.event)
}

/**
 * Compares a run's logged entries, in order, with the events of its inputs when they are read again. Entries of earlier
 * versions name no maker: until the first entry with a maker, a missing one is not a difference.
 */
export function createComparison(): (logged: Entry, event: StreamEvent, by: LoggedInput['by']) => boolean {
  let hasMakers = false
  return (logged, event, by) => {
    hasMakers ||= logged.by !== undefined
    const isMakerSame = (logged.by ?? 'producer') === by || !hasMakers
    // Both events have the same order of fields, because the same code made them; one has been through JSON.
    return isMakerSame && JSON.stringify(logged.event) === JSON.stringify(event)
  }
}
