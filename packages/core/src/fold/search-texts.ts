import type { Json } from '../json.ts'
import type { ChatEvent, Segment, ToolSegment } from './shapes.ts'

/** What a text that can be searched for is: a person's words, an answer, a thought, a call's input or output, or a notice. */
export const SEARCH_KINDS = ['question', 'text', 'reasoning', 'input', 'output', 'notice'] as const

export type SearchKind = (typeof SEARCH_KINDS)[number]

/** A text of a run, as it is found by a search. */
export interface SearchText {
  readonly kind: SearchKind
  /** The first entry of the segment that shows it. */
  readonly seq: number
  /** The tool or the subagent whose text it is. */
  readonly name?: string
  readonly text: string
}

/** Raised when the texts or the digest of a run that is stored already would change. */
export const SEARCH_VERSION = 3

/** A longer text is found by its beginning and its end only. */
const HEAD = 24_000
const TAIL = 8_000

/** How many characters of one run can be searched; what comes later is left out. */
const MOST_CHARACTERS = 4_000_000

/** The texts of folded messages, in the order in which a person sees them. */
export function searchTextsOf(chatEvents: readonly ChatEvent[]): readonly SearchText[] {
  const texts: SearchText[] = []
  let left = MOST_CHARACTERS
  for (const chatEvent of chatEvents) {
    if (chatEvent.state === 'retracted') continue
    for (const found of textsOf(chatEvent.segments, chatEvent.role === 'user')) {
      const text = bounded(found.text)
      if (text.trim() === '') continue
      left -= text.length
      if (left < 0) return texts
      texts.push({ ...found, text })
    }
  }
  return texts
}

function* textsOf(segments: readonly Segment[], isQuestion = false): Generator<SearchText> {
  for (const segment of segments) {
    const [seq] = segment.seqs
    for (const found of rows[segment.type](segment as never)) {
      const kind = isQuestion && found.kind === 'text' ? 'question' : found.kind
      yield { seq, ...found, kind }
    }
    if (segment.type === 'subagent') yield* textsOf(segment.segments)
  }
}

type Found = Omit<SearchText, 'seq'>
type Rows = { readonly [Type in Segment['type']]: (segment: Extract<Segment, { type: Type }>) => readonly Found[] }

const notice = (text: string | undefined, name?: string): readonly Found[] =>
  text === undefined ? [] : [{ kind: 'notice', text, ...(name !== undefined && { name }) }]

const rows: Rows = {
  text: ({ text }) => [{ kind: 'text', text }],
  reasoning: ({ text }) => [{ kind: 'reasoning', text }],
  tool: textsOfCall,
  todos: ({ items }) => notice(items.map(({ content }) => content).join('\n')),
  status: ({ lines }) => notice(lines.map(({ message }) => message).join('\n')),
  subagent: ({ name, task, summary }) => [...notice(task, name), ...notice(summary, name)],
  approval: ({ message, reason }) => [...notice(message), ...notice(reason)],
  source: ({ title, url, snippet }) => notice([title, url, snippet].filter(Boolean).join('\n')),
  file: ({ filename }) => notice(filename),
  data: () => [],
  error: ({ message }) => notice(message),
}

/** The name stands in the text of the input, so that the calls of a tool are found by its name. */
function textsOfCall(call: ToolSegment): readonly Found[] {
  const { title, input, inputText, output, error, progress: reports = [], approval } = call
  const name = title ?? call.name
  const printed = reports.map(({ text }) => text ?? '').join('')
  const result = [output === undefined ? '' : plainText(output), error ?? ''].filter(Boolean).join('\n')
  // A command's output usually repeats what it printed meanwhile.
  const shown = result.includes(printed) ? result : `${printed}\n${result}`
  return [
    { kind: 'input', name, text: [call.name, input === undefined ? (inputText ?? '') : plainText(input)].join('\n') },
    { kind: 'output', name, text: shown },
    ...notice(approval?.message, name),
  ]
}

/** The texts in a value, with the names of its fields, one a line: as a person would look for them, without JSON's marks. */
function plainText(value: Json): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, field]) => (Array.isArray(value) ? plainText(field) : `${key}: ${plainText(field)}`))
    .join('\n')
}

/** Without half of a character at a cut. */
function bounded(text: string): string {
  if (text.length <= HEAD + TAIL) return text.toWellFormed()
  return `${text.slice(0, HEAD)}\n…\n${text.slice(-TAIL)}`.toWellFormed()
}
