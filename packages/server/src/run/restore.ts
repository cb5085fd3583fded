import type { Entry, StreamEvent } from '@millrace/core/events'
import { balance } from '@millrace/core/normalize'
import { READER_VERSION } from '@millrace/core/read'
import type { Log, StoredRun } from '../log/log.ts'
import { createRunPosition, type RunPosition } from './run-position.ts'
import { createComparison, createRunReader, isSameButForMeta, type RunReader, readAgain } from './run-reader.ts'

export interface Restored {
  readonly position: RunPosition
  readonly rawRecords: number
  /**
   * Whether reading the inputs again gave the logged events. If not, the run can be closed, and a person's answer can
   * be added, but its stream cannot continue.
   */
  readonly isReproduced: boolean
}

/** The state of an open run without an owner, from the log. MUST NOT be called while the run is appended to. */
export async function restore(log: Log, run: StoredRun): Promise<Restored> {
  const reproduced = await reproduce(log, run)
  const isReproduced = reproduced !== undefined
  const closer = isReproduced ? undefined : createCloser()
  const position = createRunPosition(reproduced?.reader ?? (closer as Closer).reader)
  for await (const entry of entriesOf(log, run.id)) {
    closer?.note(entry.event)
    position.note(entry.event)
  }
  return { position, rawRecords: reproduced?.rawRecords ?? run.rawRecords, isReproduced }
}

/** The reader after all durable inputs. Resolves with undefined if its events are not the logged ones. */
async function reproduce(
  log: Log,
  run: StoredRun,
): Promise<{ readonly reader: RunReader; readonly rawRecords: number } | undefined> {
  const reader = readerOf(run)
  if (reader === undefined) return undefined
  const logged = entriesOf(log, run.id)
  // A run that waits while its server is upgraded goes on, unless the new version reads it differently.
  const isSame = run.readerVersion === READER_VERSION ? createComparison() : createComparison(isSameButForMeta)
  let rawRecords = 0
  try {
    for await (const inputs of log.inputs(run.id)) {
      for (const input of inputs) {
        if (input.by === 'producer') rawRecords++
        for (const event of readAgain(reader, input)) {
          const next = await logged.next()
          if (next.done === true || !isSame(next.value, event, input.by)) return undefined
        }
      }
    }
    const isAll = (await logged.next()).done === true
    return isAll ? { reader, rawRecords } : undefined
  } finally {
    // The log keeps the last entries of a run as long as somebody reads it.
    await logged.return()
  }
}

/** Returns undefined if no parser has the run's format any more. */
function readerOf(run: StoredRun): RunReader | undefined {
  try {
    return createRunReader(run)
  } catch {
    return undefined
  }
}

async function* entriesOf(log: Log, runId: string): AsyncGenerator<Entry, void, void> {
  for await (const entries of log.read(runId, { after: 0, live: false })) yield* entries
}

interface Closer {
  readonly reader: RunReader
  note(event: StreamEvent): void
}

/** Tracks what is open from the logged events alone: for a stream that its parser no longer reads the same way. */
function createCloser(): Closer {
  let events: StreamEvent[] = []
  const pass = balance((event) => {
    events.push(event)
  })

  function take(act: () => void): StreamEvent[] {
    events = []
    act()
    return events
  }

  const add = (event: StreamEvent) => take(() => pass.push(event))
  return {
    note: (event) => void add(event),
    reader: {
      push: () => [],
      takeFiles: () => [],
      add,
      end: () => take(pass.end),
      close(end) {
        return [...add(end), ...take(pass.end)]
      },
    },
  }
}
