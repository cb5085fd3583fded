import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { unmapped } from '../parser.ts'
import { switchTo } from './blocks.ts'
import type { Calls } from './calls.ts'
import { extraEvents, withMillraceFields } from './extra-segments.ts'
import { type Message, newText, settleTexts } from './message.ts'
import type {
  BuiltInSegment,
  RawEvent,
  RawSegment,
  RawUsage,
  ReasoningSegment,
  ResponseMetadata,
  TextSegment,
} from './raw.ts'
import { sealedBlock, settleItem } from './reasoning.ts'

const ROLES: ReadonlySet<string> = new Set<Role>(['user', 'assistant', 'system', 'tool'])

/** An Event's role, by default the assistant. */
export function roleOf({ role }: RawEvent): Role {
  return ROLES.has(role ?? '') ? (role as Role) : 'assistant'
}

/** What a whole Event adds to its stream. Segments of one kind are settled in their order. */
export function wholeEvents(message: Message, event: RawEvent, calls: Calls): StreamEvent[] {
  const segments = event.segments ?? []
  const texts = segments.filter((segment) => segment.type === 'text')
  const streamed = message.texts.length
  const isSame = message.texts.every(({ text }, index) => text === texts[index]?.text)
  const answeredIds = new Set(segments.flatMap((segment) => (segment.type === 'tool_result' ? [segment.id] : [])))
  let textIndex = -1
  const eventsOf = (segment: RawSegment): readonly StreamEvent[] => {
    if (segment.type === 'reasoning') return reasoningEvents(message, segment)
    const extra = extraEvents(segment)
    if (extra !== undefined) return extra
    if (segment.type !== 'text') return [...switchTo(message, undefined), ...callEvents(segment, calls, answeredIds)]
    textIndex++
    if (isSame && textIndex >= streamed)
      return [...newText(message, segment.text ?? ''), ...citationEvents(message, [segment])]
    if (textIndex > 0) return []
    const wholeTexts = texts.map(({ text }) => text ?? '')
    return [...(isSame ? [] : settleTexts(message, wholeTexts)), ...citationEvents(message, texts)]
  }
  return segments.flatMap((segment) => withMillraceFields(segment, eventsOf(segment)))
}

type OtherSegment = Exclude<NonNullable<RawEvent['segments']>[number], TextSegment | ReasoningSegment>

function callEvents(segment: OtherSegment, calls: Calls, answeredIds: ReadonlySet<string>): StreamEvent[] {
  if (segment.type === 'tool_result') return calls.output(segment)
  if (isBuiltIn(segment)) {
    // The status only reports the end. The output is in the result segment.
    return calls.builtIn(answeredIds.has(segment.id) ? { ...segment, status: 'in_progress' } : segment)
  }
  if (segment.type !== 'tool_call') return unmapped({ type: 'segment', segment })
  const events = calls.segment(segment)
  return calls.isAnswered(segment.id) ? events : [...events, ...calls.input(segment.id, segment.args ?? {})]
}

const isBuiltIn = (segment: OtherSegment): segment is BuiltInSegment =>
  segment.type === 'web_search_call' || segment.type === 'code_interpreter_call'

export function reasoningEvents(message: Message, segment: ReasoningSegment): StreamEvent[] {
  const itemId = segment.id ?? `${message.id}:reasoning`
  const events = settleItem(message, itemId, segment.parts ?? [], segment.combined_text ?? '')
  return [...events, ...sealEvents(message, itemId, segment)]
}

/** The signature and encrypted content that the provider needs back. Redacted reasoning has nothing else. */
function sealEvents(message: Message, itemId: string, segment: ReasoningSegment): StreamEvent[] {
  const seal = present({ signature: segment.signature, encrypted: segment.encrypted_content })
  if (Object.keys(seal).length === 0) return []
  const [{ id: blockId }, events] = sealedBlock(message, itemId)
  return [...events, { type: 'block-patch', blockId, ...seal }]
}

/** Offsets are within the text of a segment. If the stream split the text differently, the last block has them all. */
export function citationEvents(message: Message, segments: readonly TextSegment[]): StreamEvent[] {
  return segments.flatMap(({ citations }, segmentIndex) => {
    const isSame = segments.length === message.texts.length
    const blockId = (isSame ? message.texts[segmentIndex] : message.texts.at(-1))?.id
    if (blockId === undefined || !citations || citations.length === 0) return []
    const sources = citations.map(({ url, title }, index) =>
      sourceEvent(`${blockId}:source-${index}`, blockId, url, title),
    )
    return [{ type: 'block-patch' as const, blockId, citations }, ...sources]
  })
}

function sourceEvent(sourceId: string, blockId: string, url: Json | undefined, title: Json | undefined): StreamEvent {
  const titleField = typeof title === 'string' ? { title } : {}
  if (typeof url !== 'string') return { type: 'source', sourceId, kind: 'document', blockId, ...titleField }
  return { type: 'source', sourceId, kind: 'url', url, blockId, ...titleField }
}

/** The end of an Event, with the usage and the id of the response that it was made from. */
export function endEvents(message: Message, details: ResponseMetadata | null | undefined): StreamEvent[] {
  const { usage, completion_status: status, openai_response_id: response_id } = details ?? {}
  const isCut = status === 'interrupted' || status === 'partial'
  return [
    ...switchTo(message, undefined),
    ...usageEvents(usage),
    {
      type: 'message-end',
      messageId: message.id,
      ...(isCut && { interrupted: true }),
      ...(response_id && { meta: { openai: { response_id } } }),
    },
  ]
}

function usageEvents(usage: RawUsage | null | undefined): StreamEvent[] {
  const {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total,
    reasoning_tokens: reasoning,
  } = usage ?? {}
  const inferredPrompt = typeof total === 'number' && typeof completion === 'number' ? total - completion : undefined
  const counts = present({
    inputTokens: prompt ?? inferredPrompt,
    outputTokens: completion,
    reasoningTokens: reasoning,
  })
  return Object.keys(counts).length === 0 ? [] : [{ type: 'usage', scope: 'step', mode: 'snapshot', ...counts }]
}
