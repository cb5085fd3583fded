import { isJsonObject, isText, type Json } from '../../json.ts'
import { observationText } from '../../meaning/pane-routes.ts'
import type { ToolSegment } from '../shapes.ts'
import { numberIn } from './fields.ts'

/** What a call read of a file: its text, if it read all of it. */
export function wholeTextRead(segment: ToolSegment): string | undefined {
  const structured = structuredRead(segment)
  if (structured !== undefined) return structured.text
  const { input, output } = segment
  const isPart =
    isJsonObject(input) && ['offset', 'limit', 'view_range', 'start_line', 'line'].some((key) => isSetTo(input[key]))
  const text = textOfOutput(output)
  if (text === undefined || isPart || /output truncated|\[Showing lines|response clipped|Showing lines \d/.test(text))
    return undefined
  return withoutNumbers(withoutFrame(text))
}

/** Undefined for an output that is no text, and for an empty one: some agents leave the text of a read out. */
function textOfOutput(output: Json | undefined): string | undefined {
  const isText = typeof output === 'string' || (Array.isArray(output) && output.every((part) => isTextPart(part)))
  return isText ? observationText(output) || undefined : undefined
}

const isTextPart = (part: Json) => isJsonObject(part) && part.type === 'text'

const isSetTo = (value: Json | undefined) => value !== undefined && value !== null && value !== 0

interface Read {
  /** Undefined: a part of the file, or too much to be shown. */
  readonly text: string | undefined
}

/** A result with its own fields says what was read, and which lines of how many. */
function structuredRead({ meta, output }: ToolSegment): Read | undefined {
  const result = meta?.claude?.tool_use_result
  const file = isJsonObject(result) ? result.file : output
  if (!isJsonObject(file) || !isText(file.content)) return undefined
  const [first, count] = [numberIn(file.startLine ?? file.start_line), numberIn(file.numLines ?? file.num_lines)]
  const total = numberIn(file.totalLines ?? file.total_lines)
  const isWhole = (first ?? 1) <= 1 && (total === undefined || count === undefined || count >= total)
  return { text: isWhole && file.truncatedByTokenCap !== true ? file.content : undefined }
}

/** What agents put around a file: reminders for the model, a head with the range, tags. */
function withoutFrame(text: string): string {
  return withoutReminders(text)
    .replace(/^@@ lines \d+-\d+ of \d+ @@\n/, '')
    .replace(/^<(file|content)>\n([\s\S]*?)\n?(?:\(End of file[^\n]*\)\n)?<\/\1>\s*$/, '$2')
}

const REMINDER = '<system-reminder>'

/** The text before the reminders at its end; white space between them and the text goes with them. */
function withoutReminders(text: string): string {
  let rest = text
  for (let end = rest.trimEnd(); end.endsWith('</system-reminder>'); end = rest) {
    const start = end.lastIndexOf(REMINDER)
    if (start === -1) return rest
    rest = end.slice(0, start).trimEnd()
  }
  return rest
}

const NUMBERED = [/^\s*(\d+)→/, /^\s*(\d+)\t/, /^\s*(\d+): /, /^\s*(\d+):/]

/** The text without numbers before its lines, if every line has one and they count up. */
function withoutNumbers(text: string): string {
  const lines = text.split('\n')
  const last = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  const form = NUMBERED.find((each) => {
    const first = Number(each.exec(last[0] ?? '')?.[1])
    return last.length > 0 && last.every((line, index) => Number(each.exec(line)?.[1]) === first + index)
  })
  return form === undefined ? text : lines.map((line) => line.replace(form, '')).join('\n')
}
