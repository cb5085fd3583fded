import { entryOf } from '@millrace/core/client'
import type { Entry, StreamEvent } from '@millrace/core/events'
import { createFold, type Fold } from '@millrace/core/fold'
import { getParser } from '@millrace/core/parse'
import { READER_VERSION } from '@millrace/core/read'
import { getSource, type RawRecord } from '@millrace/core/source'
import type { LoggedInput, StoredRun } from '../log/log.ts'
import { createComparison, createRunReader, readAgain } from '../run/run-reader.ts'
import { hashOfJson } from './hash.ts'

export type CheckedRun = Pick<
  StoredRun,
  'id' | 'threadId' | 'seq' | 'state' | 'format' | 'parserVersion' | 'readerVersion' | 'agent'
>

/** A batch of one of the three compared streams. */
export type Step =
  | { readonly of: 'inputs'; readonly inputs: readonly LoggedInput[] }
  | { readonly of: 'logged'; readonly entries: readonly Entry[] }
  | { readonly of: 'delivered'; readonly bytes: Uint8Array }

/** The positions of the streams: the one that is behind is read next, so that little of the other is held. */
export interface Counts {
  readonly logged: number
  readonly reread: number
}

export interface Findings {
  readonly entries: number
  readonly rawRecords: number
  readonly foldHash: string
  readonly deliveredHash: string
  readonly reread: 'same' | 'different' | 'read-by-other-version'
  readonly problems: readonly string[]
}

/** Compares the streams of one run batch by batch, without holding them. */
export interface Checks {
  push(step: Step): Counts
  /** Called after all entries and inputs: their fold is what the delivered stream is compared with. */
  endLog(): void
  end(): Findings
}

export function createChecks(run: CheckedRun): Checks {
  const orderCheck = createOrderCheck()
  const rereadCheck = createRereadCheck(run)
  const delivery = getSource('sse')()
  const problems: string[] = []
  let entries = 0
  let rawRecords = 0
  let fold: Fold = createFold({ runId: run.id })
  let foldHash = ''

  function take(batch: readonly Entry[]): void {
    for (const entry of batch) {
      // A live run may have grown since the request.
      if (entry.seq > run.seq) return
      entries++
      orderCheck.push(entry)
      rereadCheck.log(entry)
      fold.push([entry])
    }
  }

  function read(inputs: readonly LoggedInput[]): void {
    for (const input of inputs) {
      if (input.by === 'producer') rawRecords++
      rereadCheck.read(input)
    }
  }

  function takeDelivered(records: readonly RawRecord[]): void {
    for (const { name, value } of records) {
      // A named event is about the stream; entries have no name.
      const entry = name === undefined ? entryOf(value) : undefined
      if (entry !== undefined && entry.seq <= run.seq) fold.push([entry])
    }
  }

  return {
    push(step) {
      if (step.of === 'logged') take(step.entries)
      else if (step.of === 'inputs') read(step.inputs)
      else takeDelivered(delivery.feed(step.bytes))
      return { logged: entries, reread: rereadCheck.count() }
    },
    endLog() {
      rereadCheck.end(run.state === 'ended')
      problems.push(...orderCheck.problems())
      foldHash = hashOfJson(fold.snapshot())
      fold = createFold({ runId: run.id })
    },
    end() {
      takeDelivered(delivery.end())
      const deliveredHash = hashOfJson(fold.snapshot())
      if (deliveredHash !== foldHash) problems.push('What is delivered folds to something else.')
      const { reread, problem } = rereadCheck.verdict()
      if (problem !== undefined) problems.push(problem)
      return { entries, rawRecords, foldHash, deliveredHash, reread, problems }
    },
  }
}

/** Checks that entries have no gap in their numbers, are ordered by time, and that none follows the run's end. */
function createOrderCheck() {
  let last: Entry | undefined
  let gap: string | undefined
  let timeStep: string | undefined
  let afterEnd: string | undefined
  return {
    push(entry: Entry): void {
      const seq = (last?.seq ?? 0) + 1
      if (entry.seq !== seq) gap ??= `Entry ${entry.seq} is not where its number says.`
      if (entry.at < (last?.at ?? 0)) timeStep ??= `Entry ${entry.seq} is older than the one before it.`
      if (last?.event.type === 'run-end') afterEnd ??= `Entries follow the run's end at ${last.seq}.`
      last = entry
    },
    problems: () => [gap, timeStep, afterEnd].filter((problem) => problem !== undefined),
  }
}

/** A logged event, or one from reading the inputs again. */
type ComparedEvent =
  | { readonly of: 'logged'; readonly entry: Entry }
  | { readonly of: 'read'; readonly event: StreamEvent; readonly by: LoggedInput['by'] }

/** Compared events are dropped in groups of this size. */
const COMPARED_HELD = 4096

/** Reads the inputs again and compares the events with the logged ones, whichever come first. */
function createRereadCheck(run: CheckedRun) {
  // Another version of the parser or of the reader may read the records differently.
  const isOfThisVersion = versionOf(run.format) === run.parserVersion && run.readerVersion === READER_VERSION
  const reader = isOfThisVersion ? createRunReader(run) : undefined
  const isSame = createComparison()
  let ahead: { readonly of: ComparedEvent['of']; readonly events: ComparedEvent[]; at: number } | undefined
  let comparedCount = 0
  let count = 0
  let differsAt: number | undefined

  /** Compares an event with the oldest waiting one of the other stream; if there is none, the event waits. */
  function compareNext(item: ComparedEvent): void {
    if (differsAt !== undefined) return
    if (ahead === undefined || ahead.at === ahead.events.length) ahead = { of: item.of, events: [], at: 0 }
    if (ahead.of === item.of) {
      ahead.events.push(item)
      return
    }
    const other = ahead.events[ahead.at] as ComparedEvent
    ahead.at++
    comparedCount++
    if (ahead.at >= COMPARED_HELD) {
      ahead.events.splice(0, ahead.at)
      ahead.at = 0
    }
    if (!areSame(item, other)) differsAt = comparedCount
  }

  function areSame(one: ComparedEvent, other: ComparedEvent): boolean {
    if (one.of === 'logged') return other.of === 'read' && isSame(one.entry, other.event, other.by)
    return other.of === 'logged' && isSame(other.entry, one.event, one.by)
  }

  function add(events: readonly StreamEvent[], by: LoggedInput['by']): void {
    for (const event of events) {
      // Later inputs of a live run have no entries yet.
      if (run.state !== 'ended' && count >= run.seq) return
      count++
      compareNext({ of: 'read', event, by })
    }
  }

  return {
    read(input: LoggedInput): void {
      if (reader !== undefined) add(readAgain(reader, input), input.by)
    },
    log(entry: Entry): void {
      if (reader !== undefined) compareNext({ of: 'logged', entry })
    },
    end(isEnded: boolean): void {
      if (reader !== undefined && isEnded) add(reader.end(), 'producer')
      const hasUncompared = ahead !== undefined && ahead.at < ahead.events.length
      if (hasUncompared) differsAt ??= comparedCount + 1
    },
    count: () => (reader === undefined ? Number.POSITIVE_INFINITY : count),
    verdict(): Pick<Findings, 'reread'> & { readonly problem?: string } {
      if (reader === undefined) return { reread: 'read-by-other-version' }
      if (differsAt === undefined) return { reread: 'same' }
      const problem = `Reading the inputs again differs from the log at entry ${differsAt}.`
      return { reread: 'different', problem }
    },
  }
}

/** Returns undefined if no parser has the name. */
function versionOf(format: string): number | undefined {
  try {
    return getParser(format).version
  } catch {
    return undefined
  }
}
