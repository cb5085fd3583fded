import { lineSource } from './line-source.ts'
import { type CreateSource, DEFAULT_MAX_RECORD, type RawRecord, recordOf, tooLarge } from './source.ts'

interface DataLine {
  readonly value: string
  /** The event's name as it stood when the line came, for servers that leave out the blank line between events. */
  readonly name: string | undefined
}

/**
 * Server-sent events. Beyond the standard, because real servers need it: a last event without its blank line is kept,
 * `data:` lines that should have been events of their own become records of their own, and a line that is no field at
 * all (an error body in the middle of a stream) is a record too.
 */
export const sse: CreateSource = ({ maxRecord = DEFAULT_MAX_RECORD } = {}) =>
  lineSource(maxRecord + 'data: '.length, (add) => createEvents(maxRecord, add))

function createEvents(maxRecord: number, add: (record: RawRecord) => void) {
  let name: string | undefined
  /** The data of the event under way. Nearly always it is one line. */
  let first: DataLine | undefined
  let more: DataLine[] = []
  let size = 0
  let isTooLarge = false

  function dispatch(): void {
    if (first !== undefined) {
      if (isTooLarge) add(tooLarge(joined([first, ...more]), maxRecord, name))
      else if (more.length > 0) for (const record of recordsOf([first, ...more], name)) add(record)
      else if (first.value !== '') add(recordOf(first.value, name))
      first = undefined
      more = []
      size = 0
      isTooLarge = false
    }
    name = undefined
  }

  function addData(value: string, isWhole: boolean): void {
    size += value.length
    isTooLarge ||= !isWhole || size > maxRecord
    const line = { value, name }
    if (first === undefined) first = line
    else if (!isTooLarge) more.push(line)
  }

  function addField(line: string, isWhole: boolean): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    if (field === 'data') addData('', isWhole)
    else if (field === 'event') name = line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1)
    else if (field !== 'id' && field !== 'retry') add(isWhole ? recordOf(line) : tooLarge(line, maxRecord))
  }

  return {
    onLine(line: string, isWhole: boolean) {
      if (line === '') dispatch()
      else if (line.startsWith('data:')) addData(line.slice(line.charCodeAt(5) === 32 ? 6 : 5), isWhole)
      else if (!line.startsWith(':')) addField(line, isWhole)
    },
    end: dispatch,
  }
}

/** Several data lines are one record, unless only each of them alone is JSON. */
function recordsOf(lines: readonly DataLine[], name: string | undefined): RawRecord[] {
  const whole = recordOf(joined(lines), name)
  if (whole.problem === undefined) return [whole]
  const apart = lines.map((line) => recordOf(line.value, line.name))
  return apart.every((record) => record.problem === undefined) ? apart : [whole]
}

const joined = (lines: readonly DataLine[]) => lines.map(({ value }) => value).join('\n')
