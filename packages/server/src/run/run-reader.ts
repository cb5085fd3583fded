import type { Entry } from '@millrace/core/entry'
import type { StreamEvent } from '@millrace/core/events'
import { getParser } from '@millrace/core/parse'
import { createReader, type Reader } from '@millrace/core/read'
import { recordOf } from '@millrace/core/source/source'
import type { LoggedInput, StoredRun } from '../log/log.ts'

/** How a run's inputs are read: the same for a new run, for one that is restored and for one that is verified. */

/**
 * In a run of one of the server's own agents only the server answers approvals: an answer in the agent's stream is a claim
 * that nobody made here. Throws if no parser has the name of the run's format.
 */
export function createRunReader({ format, agent }: Pick<StoredRun, 'format' | 'agent'>): Reader {
  return createReader(getParser(format), { areAnswersRead: agent === undefined })
}

/** The events that one input of a run gives. They are made by whoever made the input. */
export function readInput(reader: Reader, input: LoggedInput): readonly StreamEvent[] {
  if (input.by === 'producer') return reader.push(recordOf(input.text, input.name))
  return input.event.type === 'run-end' ? reader.close(input.event) : reader.add(input.event)
}

/**
 * Compares a run's logged entries, in order, with what reading its inputs again gives. Entries of earlier versions name no
 * maker: until the first entry that names one, a missing maker is no difference.
 */
export function createComparison(): (logged: Entry, event: StreamEvent, by: LoggedInput['by']) => boolean {
  let hasMakers = false
  return (logged, event, by) => {
    hasMakers ||= logged.by !== undefined
    const isMakerSame = (logged.by ?? 'producer') === by || !hasMakers
    // Both events were made by the same code, in the same order of fields; one has been through JSON.
    return isMakerSame && JSON.stringify(logged.event) === JSON.stringify(event)
  }
}
