import { remember } from '../data/remember.ts'
import type { ApprovalState } from '../event-fields.ts'
import { isWellShaped } from '../event-shape.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { createNormalizer } from '../normalize/index.ts'
import { type Parser, type ParserState, SILENT } from '../parse/parser.ts'
import { type RawRecord, TERMINATOR } from '../source/source.ts'
import { createEchoes } from './echoes.ts'
import { type StoreFile, withoutLargeFiles } from './large-files.ts'
import { createAttribution } from './synchronous-subagents.ts'

/**
 * The version of reading and normalizing, for every format: it is raised when a golden file changes. A run stores it:
 * only the version that read a run need give the same events again.
 */
export const READER_VERSION = 7

/** Raw records in, well-formed events out: parse and normalize as one, for any input. */
export interface Reader {
  /** The events that this record completes. Never throws. */
  push(record: RawRecord): StreamEvent[]
  /**
   * Adds an event that no record carries: the user's message, an answer, a stop. The resulting events follow those of
   * the records so far. Reading the same records and adding the same events at the same positions repeats the events.
   */
  add(event: StreamEvent): StreamEvent[]
  /** The events of a clean end; the last of them is `run-end`. A second call returns no events. */
  end(): StreamEvent[]
  /** Ends a stream that did not end cleanly: closes what is open and emits `end` as the run's end. */
  close(end: Extract<StreamEvent, { type: 'run-end' }>): StreamEvent[]
}

export interface ReaderOptions {
  /**
   * Whether a record may answer an approval, as in a stream that was recorded elsewhere. If not, the record is kept as
   * `raw` in place of the answer: only an added event answers. A record may always ask, withdraw what it has asked, and go on
   * as after the answer that was added. Nor does a record say again what a person has said.
   * Default true.
   */
  readonly areAnswersRead?: boolean
  /** Where files go that are too large for an event. By default they are left out. */
  readonly storeFile?: StoreFile
}

export function createReader(
  parser: Parser,
  { areAnswersRead = true, storeFile = leaveOut }: ReaderOptions = {},
): Reader {
  const parserState = parser.create()
  /** By approval, the answers that were added. */
  const given = new Map<string, ApprovalState>()
  const echoes = createEchoes()
  const attribute = createAttribution()
  // Parsers that share a name are chosen between at the first record.
  const isSynchronous = () => (parserState.subagents ?? parser.subagents) === 'synchronous'
  const admit = (parsed: readonly StreamEvent[], record?: unknown) => {
    const attributed = isSynchronous() ? parsed.map(attribute) : parsed
    const news = areAnswersRead ? attributed : echoes.without(attributed).filter((event) => !isGiven(event, given))
    const answered = areAnswersRead ? attributed : withoutAnswers(news, record)
    return withoutLargeFiles(answered, storeFile)
  }
  let events: StreamEvent[] = []
  let ended = false
  const normalizer = createNormalizer((event) => {
    events.push(event)
  })

  function take(): StreamEvent[] {
    const taken = events
    events = []
    return taken
  }

  function finish(last: readonly StreamEvent[]): StreamEvent[] {
    if (ended) return []
    ended = true
    for (const event of last) normalizer.push(event)
    normalizer.end()
    return take()
  }

  return {
    push(record) {
      if (ended) return []
      for (const event of admit(parseRecord(parserState, record), record.value)) normalizer.push(event)
      return take()
    },
    add(event) {
      if (ended) return []
      if (isAnswer(event)) remember(given, event.approvalId, event.state)
      if (!areAnswersRead) echoes.note(event)
      normalizer.push(event)
      return take()
    },
    end: () => finish(admit(endEvents(() => parserState.end()))),
    close: (end) => finish([...admit(endEvents(() => parserState.release?.() ?? [])), end]),
  }
}

const leaveOut: StoreFile = () => undefined

/** A parser's events, or the record itself as `raw` if the parser did not understand it: no record is lost. */
function parseRecord(parserState: ParserState, record: RawRecord): readonly StreamEvent[] {
  if (record.problem !== undefined) return [{ type: 'raw', value: record.text, reason: 'unparsable' }]
  if (record.value === TERMINATOR) return []
  try {
    const events = parserState.push(record.value, record)
    if (events === SILENT || (events.length > 0 && areWellShaped(events))) return events
  } catch {
    // A value of the wrong shape is kept as `raw` below.
  }
  return [{ type: 'raw', value: record.value as never, reason: 'unmapped' }]
}

/** The claims that a person has answered. That a question expired is not one: it is the stream that withdraws it. */
const CLAIMS: ReadonlySet<ApprovalState> = new Set(['approved', 'denied', 'answered'])

const isAnswer = (event: StreamEvent): event is EventOf<'approval'> =>
  event.type === 'approval' && CLAIMS.has(event.state)

/** Whether a record only repeats the answer that was added, or that there was one, or withdraws its question too late. */
function isGiven(event: StreamEvent, given: ReadonlyMap<string, ApprovalState>): boolean {
  if (event.type !== 'approval' || event.state === 'requested') return false
  const state = given.get(event.approvalId)
  const isBare = event.state === 'answered' && event.answer === undefined
  return state !== undefined && (event.state === state || event.state === 'expired' || isBare)
}

/** The events with the record in place of its first answer. An answer that the parser held back is kept itself. */
function withoutAnswers(events: readonly StreamEvent[], record?: unknown): readonly StreamEvent[] {
  const first = events.findIndex(isAnswer)
  if (first === -1) return events
  return events.flatMap((event, index): readonly StreamEvent[] => {
    if (!isAnswer(event)) return [event]
    const isKept = index === first || record === undefined
    return isKept ? [{ type: 'raw', value: (record ?? event) as never, reason: 'unmapped' }] : []
  })
}

/** A parser's events for an end; none if it fails, so that even a clean end counts as interrupted. */
function endEvents(read: () => readonly StreamEvent[]): readonly StreamEvent[] {
  try {
    const events = read()
    return areWellShaped(events) ? events : []
  } catch {
    return []
  }
}

function areWellShaped(events: readonly StreamEvent[]): boolean {
  for (const event of events) if (!isWellShaped(event)) return false
  return true
}
