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

/** The tags that hosts put around what is not a person's own: reminders, names of commands and what they printed. */
const HOST_TAG = /<((?:system|command|local|user|environment)[\w-]{0,40})>/gi

/** After so many tags without an end the text is taken as it is: each of them costs a search to its end. */
const MOST_UNCLOSED = 8

function withoutHostTags(text: string): string {
  let rest = ''
  let from = 0
  const unclosed = new Set<string>()
  for (const { 0: tag, 1: name = '', index } of text.matchAll(HOST_TAG)) {
    if (index < from || unclosed.has(name)) continue
    if (unclosed.size === MOST_UNCLOSED) break
    const closing = `</${name}>`
    const end = text.indexOf(closing, index + tag.length)
    if (end === -1) unclosed.add(name)
    else {
      rest += `${text.slice(from, index)} `
      from = end + closing.length
    }
  }
  return rest + text.slice(from)
}

/** The first line that says something. */
const titleOfQuestion = ({ text }: TextSegment): string => cut(plain(firstLine(withoutHostTags(text))))

/** The first sentence, if it ends within its line. */
function titleOfSentence(text: string): string {
  const line = plain(firstLine(text))
  const sentence = /^.{12,}?[.!?…](?=\s)/u.exec(line)?.[0] ?? line
  return cut(withoutEndMarks(sentence))
}

function withoutEndMarks(sentence: string): string {
  let end = sentence.length
  while (end > 0 && '.:'.includes(sentence.charAt(end - 1))) end -= 1
  return sentence.slice(0, end)
}

/** A line of marks only, such as a fence, says nothing. */
const firstLine = (text: string): string =>
  text.split(/[\r\n\u2028\u2029]/).find((line) => /[\p{L}\p{N}]/u.test(line.replace(/^\s*```.*$/u, ''))) ?? ''

/** Without the marks of markdown. */
const plain = (line: string): string =>
  line
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/gu, '$1')
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
