import { lineSource } from './lines.ts'
import { type CreateSource, DEFAULT_MAX_RECORD, type RawRecord, recordOf, tooLarge } from './source.ts'

/** The memory that a line takes besides its characters, in the same unit, so that empty lines are not free. */
const LINE_COST = 64

/** The maximum number of `data:` lines of one event: they are joined and parsed in one step. */
const MAX_LINES = 100_000

interface DataLine {
  readonly value: string
  /** The event's name when the line was read, for servers that omit the blank line between events. */
  readonly name: string | undefined
}

/**
 * Server-sent events. Beyond the standard, because real servers need it: a last event without its blank line is kept,
 * `data:` lines that should have been separate events become separate records, and a line that is not a field (an error
 * body in the middle of a stream) is a record too.
 */
export const sse: CreateSource = ({ maxRecord = DEFAULT_MAX_RECORD } = {}) =>
  lineSource(maxRecord + 'data: '.length, (add) => createEvents(maxRecord, add))

function createEvents(maxRecord: number, add: (record: RawRecord) => void) {
  let name: string | undefined
  let isNameWhole = true
  /** The length of the name until a data line counts it: the lines of one name count it once. */
  let unpaidName = 0
  /** The data of the current event, which is nearly always one line. */
  let first: string | undefined
  let firstName: string | undefined
  let more: DataLine[] = []
  let size = 0
  let isTooLarge = false

  function dispatch(): void {
    if (first !== undefined) {
      if (isTooLarge) add(tooLarge(joined(linesFrom(first)), maxRecord, name))
      else if (more.length > 0) for (const record of recordsOf(linesFrom(first), name)) add(record)
      else if (first !== '') add(recordOf(first, name))
      first = undefined
      if (more.length > 0) more = []
      size = 0
      isTooLarge = false
    }
    name = undefined
    isNameWhole = true
    unpaidName = 0
  }

  function addData(value: string, isWhole: boolean): void {
    const cost = value.length + unpaidName
    unpaidName = 0
    if (first !== undefined && !fits(cost + LINE_COST, isWhole)) releaseApart(first)
    // The first line costs only its characters: the limit of a record is the same in every framing.
    const added = first === undefined ? cost : cost + LINE_COST
    isTooLarge ||= !isNameWhole || !fits(added, isWhole)
    size += added
    if (first === undefined) {
      first = value
      firstName = name
    } else if (!isTooLarge) more.push({ value, name })
  }

  const linesFrom = (value: string): readonly DataLine[] => [{ value, name: firstName }, ...more]

  const fits = (cost: number, isWhole: boolean) => isWhole && size + cost <= maxRecord && more.length + 1 < MAX_LINES

  /** Makes room in a full event: if each of its lines is JSON, they are events without a blank line between them. */
  function releaseApart(firstValue: string): void {
    const records = isTooLarge ? undefined : parseApart(linesFrom(firstValue))
    if (records === undefined) return
    for (const record of records) add(record)
    first = undefined
    more = []
    size = 0
  }

  function addName(value: string, isWhole: boolean): void {
    name = value
    isNameWhole = isWhole
    unpaidName = value.length
  }

  function addField(line: string, isWhole: boolean): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    if (field === 'data') addData('', isWhole)
    else if (field === 'event') addName(colon === -1 ? '' : line.slice(colon + 1), isWhole)
    else if (field !== 'id' && field !== 'retry') add(isWhole ? recordOf(line) : tooLarge(line, maxRecord))
  }

  return {
    onLine(line: string, isWhole: boolean) {
      if (line === '') dispatch()
      else if (line.startsWith('data:')) addData(line.slice(line.charCodeAt(5) === 32 ? 6 : 5), isWhole)
      else if (line.startsWith('event: ')) addName(line.slice(7), isWhole)
      else if (!line.startsWith(':')) addField(line, isWhole)
    },
    end: dispatch,
  }
}

/** Several data lines are one record, unless only each of them alone is JSON. */
function recordsOf(lines: readonly DataLine[], name: string | undefined): readonly RawRecord[] {
  const whole = recordOf(joined(lines), name)
  return whole.problem === undefined ? [whole] : (parseApart(lines) ?? [whole])
}

/** A record for each line; undefined at the first that is not JSON, so that the lines after it cost nothing. */
function parseApart(lines: readonly DataLine[]): readonly RawRecord[] | undefined {
  const records: RawRecord[] = []
  for (const { value, name } of lines) {
    const record = recordOf(value, name)
    if (record.problem !== undefined) return undefined
    records.push(record)
  }
  return records
}

const joined = (lines: readonly DataLine[]) => lines.map(({ value }) => value).join('\n')
