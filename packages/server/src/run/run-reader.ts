import type { Entry, StreamEvent } from '@millrace/core/events'
import { isSameJson } from '@millrace/core/json'
import { getParser } from '@millrace/core/parse'
import { createReader, type Reader } from '@millrace/core/read'
import { recordOf } from '@millrace/core/source'
import type { LoggedInput, StoredRun } from '../log/log.ts'
import { createLargeFiles, type LargeFiles } from './large-files.ts'

/** How a run's inputs are read: the same for a new, a restored and a verified run. */

/**
 * In a run of one of the server's agents only the server answers approvals: an answer in the agent's own stream is
 * ignored. Throws if no parser has the name of the run's format.
 */
export function createRunReader({ format, agent, threadId }: ReadRun): RunReader {
  const files = createLargeFiles(threadId)
  const options = { areAnswersRead: agent === undefined, storeFile: files.storeFile }
  return { ...createReader(getParser(format), options), takeFiles: files.take }
}

type ReadRun = Pick<StoredRun, 'format' | 'agent' | 'threadId'>

export interface RunReader extends Reader {
  /** The files that the events since the last call name, and that are too large for an event. */
  readonly takeFiles: LargeFiles['take']
}

/** The events of an input that is read again. Its files are stored already: they are dropped. */
export function readAgain(reader: RunReader, input: LoggedInput): readonly StreamEvent[] {
  const events = readInput(reader, input)
  reader.takeFiles()
  return events
}

/** The maker of the events is the maker of the input. */
function readInput(reader: Reader, input: LoggedInput): readonly StreamEvent[] {
  if (input.by === 'producer') return reader.push(recordOf(input.text, input.name))
  return input.event.type === 'run-end' ? reader.close(input.event) : reader.add(input.event)
}

/**
 * Compares a run's logged entries, in order, with the events of its inputs when they are read again. Entries of earlier
 * versions name no maker: until the first entry with a maker, a missing one is not a difference.
 */
export function createComparison(isSame: IsSame = isSameJson): Compare {
  let hasMakers = false
  return (logged, event, by) => {
    hasMakers ||= logged.by !== undefined
    const isMakerSame = (logged.by ?? 'producer') === by || !hasMakers
    return isMakerSame && isSame(logged.event, event)
  }
}

type IsSame = (logged: StreamEvent, event: StreamEvent) => boolean
type Compare = (logged: Entry, event: StreamEvent, by: LoggedInput['by']) => boolean

/** The same but for `meta`: a later version keeps more of what a provider wants back, and nothing that follows depends on it. */
export function isSameButForMeta(
  { meta: _logged, ...logged }: StreamEvent,
  { meta: _meta, ...event }: StreamEvent,
): boolean {
  return isSameJson(logged, event)
}
