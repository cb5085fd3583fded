import { createDecoder } from './decode.ts'
import { createLines } from './lines.ts'
import { type CreateSource, DEFAULT_MAX_RECORD, type RawRecord, recordOf, tooLarge } from './source.ts'

/**
 * Server-sent events. Beyond the standard, because real servers need it: a last event without its blank line is kept,
 * `data:` lines that should have been events of their own become records of their own, and a line that is no field at
 * all (an error body in the middle of a stream) is a record too.
 */
export const sse: CreateSource = ({ maxRecord = DEFAULT_MAX_RECORD } = {}) => {
  const decoder = createDecoder()
  let records: RawRecord[] = []
  let data: string[] = []
  /** Names as they stood when each data line came, for servers that leave out the blank line between events. */
  let names: (string | undefined)[] = []
  let name: string | undefined
  let size = 0
  let overflow: string | undefined

  function dispatch(): void {
    if (overflow !== undefined) records.push(tooLarge(overflow, maxRecord, name))
    else if (data.length === 1) addRecord(data[0] as string)
    else if (data.length > 1) records.push(...recordsOfLines())
    data = []
    names = []
    name = undefined
    size = 0
    overflow = undefined
  }

  function addRecord(text: string): void {
    if (text !== '') records.push(recordOf(text, name))
  }

  function recordsOfLines(): RawRecord[] {
    const joined = recordOf(data.join('\n'), name)
    if (joined.problem === undefined) return [joined]
    const apart = data.map((line, index) => recordOf(line, names[index]))
    return apart.every((record) => record.problem === undefined) ? apart : [joined]
  }

  function addData(value: string): void {
    size += value.length
    if (size <= maxRecord) {
      data.push(value)
      names.push(name)
    } else overflow ??= data.length > 0 ? data.join('\n') : value
  }

  const lines = createLines(maxRecord + 'data: '.length, (line, whole) => {
    if (line === '') dispatch()
    else if (!line.startsWith(':')) addField(line, whole)
  })

  function addField(line: string, whole: boolean): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const from = line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1
    const value = colon === -1 ? '' : line.slice(from)
    if (field === 'data') {
      if (whole) addData(value)
      else overflow ??= value
    } else if (field === 'event') name = value
    else if (field !== 'id' && field !== 'retry') records.push(whole ? recordOf(line) : tooLarge(line, maxRecord))
  }

  function take(): RawRecord[] {
    const taken = records
    records = []
    return taken
  }

  return {
    feed(bytes) {
      lines.feed(decoder.decode(bytes))
      return take()
    },
    end() {
      lines.feed(decoder.end())
      lines.end()
      dispatch()
      return take()
    },
  }
}
