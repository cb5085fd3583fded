import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject } from '../../json.ts'
import { countsOf, usageEvents } from '../kit/counts.ts'
import { numberIn, objectIn, textIn } from '../kit/fields.ts'
import { keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { type Block, beginText, endBlock, type Message, settleTexts } from './message.ts'
import type { Fields, ResponseMetadata } from './raw.ts'

/** Returns the function that adds what each text segment of a whole Event adds to the texts of its stream, in order. */
export function settleTextsOf(message: Message, segments: readonly Fields[]): (out: Out, segment: Fields) => void {
  const whole = segments.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []))
  const isContinued = message.texts.every(({ text }, index) => text === whole[index])
  let position = 0
  return (out, segment) => {
    if (!segment.text) return
    const index = position++
    if (!isContinued && index === 0) settleTexts(out, message, whole)
    if (isContinued && index >= message.texts.length) beginText(out, message, segment.text)
    // Offsets are within a segment. If the stream split the text differently, the last block has all citations.
    const isSplit = !isContinued && message.texts.length !== whole.length
    pushCitations(out, message.texts.at(isSplit ? -1 : index), segment)
  }
}

export function pushCitations(out: Out, block: Block | undefined, { citations }: Fields): void {
  if (block === undefined || !citations || citations.length === 0) return
  out.push({ type: 'block-patch', blockId: block.id, citations })
  citations.forEach(({ url, title }, index) => {
    const kind = typeof url === 'string' ? 'url' : 'document'
    const details = present({ url: textIn(url), title: textIn(title) })
    out.push({ type: 'source', sourceId: `${block.id}:source-${index}`, kind, blockId: block.id, ...details })
  })
}

const SPELLINGS = {
  inputTokens: ['prompt_tokens'],
  outputTokens: ['completion_tokens'],
  reasoningTokens: ['reasoning_tokens'],
}

/** Adds the end of an Event, with the usage and the id of the response that it was made from. */
export function pushEnd(out: Out, message: Message, details: ResponseMetadata | null | undefined): void {
  const { completion_status: status, openai_response_id: response_id } = details ?? {}
  const isCut = status === 'interrupted' || status === 'partial'
  const usage = objectIn(details?.usage)
  const total = numberIn(usage.total_tokens)
  const completion = numberIn(usage.completion_tokens)
  const prompt = total === undefined || completion === undefined ? {} : { inputTokens: total - completion }
  endBlock(out, message)
  message.isEnded = true
  out.push(...usageEvents({ ...prompt, ...countsOf(usage, SPELLINGS) }, { scope: 'step' }), {
    type: 'message-end',
    messageId: message.id,
    ...(isCut && { interrupted: true }),
    ...keep('openai', { response_id: response_id || undefined }),
  })
}

/** The types of segments that are events of Millrace as they are. */
const EVENTS: ReadonlySet<string> = new Set(['source', 'file', 'status', 'error', 'data', 'todos', 'approval'])

/** The events of a segment of a type that Millrace adds to the protocol; undefined for any other type. */
export function addedEvents({ type, millrace, ...fields }: Fields): readonly StreamEvent[] | undefined {
  if (EVENTS.has(type))
    return [{ ...fields, ...present({ agentId: objectIn(millrace).agentId }), type } as unknown as StreamEvent]
  if (type !== 'subagent') return undefined
  const { agentId, status, summary, ...start } = fields as { readonly [field: string]: unknown }
  const end = status === undefined ? [] : [{ type: 'subagent-end', agentId, status, ...present({ summary }) }]
  return [{ type: 'subagent-start', agentId, ...start }, ...end] as unknown as readonly StreamEvent[]
}

/** The fields under `millrace` in a segment, by the type of the event that they belong to. */
const MILLRACE_FIELDS: { readonly [type: string]: readonly string[] } = {
  'block-start': ['agentId', 'variant'],
  'block-delta': ['agentId'],
  'tool-start': ['agentId', 'runBy', 'parentCallId'],
  'tool-input': ['agentId'],
  'tool-output': ['agentId', 'status'],
}

/** Adds the fields under `millrace` to the events of a segment. */
export function withMillraceFields({ millrace }: Fields, events: readonly StreamEvent[]): readonly StreamEvent[] {
  if (!isJsonObject(millrace)) return events
  return events.map((event) => {
    const fields = (MILLRACE_FIELDS[event.type] ?? []).map((field) => [field, millrace[field]])
    return { ...event, ...present(Object.fromEntries(fields)) }
  })
}
