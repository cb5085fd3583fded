import { isJsonObject, isText } from '../json.ts'
import type { ChatEvent, Segment, TextSegment } from './shapes.ts'
import { toolsIn } from './subagent-walk.ts'

/** The longest title that is derived from a text. */
export const LONGEST_TITLE = 80

/**
 * What a thread without a title is called: the first words of a person, else the first sentence of the answer, else the first call of
 * a tool and where it works. Undefined as long as none of them is there.
 */
export function threadTitleOf(chatEvents: readonly ChatEvent[], folder?: string): string | undefined {
  const events = chatEvents.filter(({ state }) => state !== 'retracted')
  return firstOf(textsOf(events, 'user'), titleOfQuestion) ?? titleOfAnswer(events) ?? titleOfCall(events, folder)
}

/** As long as the run goes on: a later word of a person would be the better title than a call. */
export const titleOfTalk = (chatEvents: readonly ChatEvent[]): string | undefined => {
  const events = chatEvents.filter(({ state }) => state !== 'retracted')
  return firstOf(textsOf(events, 'user'), titleOfQuestion) ?? titleOfAnswer(events)
}

function titleOfAnswer(events: readonly ChatEvent[]): string | undefined {
  const texts = textsOf(events, 'assistant').filter(({ state, answer }) => state !== 'live' || answer !== undefined)
  return firstOf(texts, ({ text, answer }) => titleOfSentence(answer?.title ?? text))
}

const textsOf = (events: readonly ChatEvent[], role: ChatEvent['role']): readonly TextSegment[] =>
  events.filter((event) => event.role === role).flatMap(({ segments }) => segments.filter(isTextSegment))

const isTextSegment = (segment: Segment): segment is TextSegment => segment.type === 'text'

function firstOf(texts: readonly TextSegment[], read: (text: TextSegment) => string): string | undefined {
  for (const text of texts) {
    const title = read(text)
    if (title !== '') return title
  }
  return undefined
}

/** What hosts put around a person's words: reminders, names of commands and what they printed. Case does not matter to them. */
const AROUND = /<((?:system|command|local|user|environment)[\w-]*)>[\s\S]*?<\/\1>/gi

/** The first line that says something. */
const titleOfQuestion = ({ text }: TextSegment): string => cut(plain(firstLine(text.replace(AROUND, ' '))))

/** The first sentence, if it ends within its line. */
function titleOfSentence(text: string): string {
  const line = plain(firstLine(text))
  const sentence = /^.{12,}?[.!?…](?=\s)/u.exec(line)?.[0] ?? line
  return cut(sentence.replace(/[.:]+$/u, ''))
}

/** A line of marks only, such as a fence, says nothing. */
const firstLine = (text: string): string =>
  text.split(/[\r\n\u2028\u2029]/).find((line) => /[\p{L}\p{N}]/u.test(line.replace(/^\s*```.*$/u, ''))) ?? ''

/** Without the marks of markdown. */
const plain = (line: string): string =>
  line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+/u, '')
    .replace(/(\*\*|__|~~|`)(\S(?:.*?\S)?)\1/gu, '$2')
    .replace(/\s+/gu, ' ')
    .trim()

/** Without half of a character at the cut. */
function cut(line: string): string {
  if (line.length <= LONGEST_TITLE) return line
  return `${line
    .slice(0, LONGEST_TITLE - 1)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trimEnd()}…`
}

function titleOfCall(events: readonly ChatEvent[], folder: string | undefined): string | undefined {
  const [call] = events.flatMap(({ segments }) => toolsIn(segments))
  if (call === undefined) return undefined
  const fields = isJsonObject(call.input) ? Object.entries(call.input) : [['', call.input] as const]
  const [, argument] = fields.find(([key, value]) => !/id$/i.test(key) && isText(value) && value.trim() !== '') ?? []
  const name = call.title ?? call.name
  const words = isText(argument) ? `${name} ${firstLine(argument).trim()}` : name
  const at = folder?.split(/[\\/]/).findLast((part) => part !== '')
  return cut(at === undefined ? words : `${words} in ${at}`)
}
