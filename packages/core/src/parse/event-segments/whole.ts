import { present } from '../../data/present.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject } from '../../json.ts'
import { countsOf, usageEvents } from '../kit/counts.ts'
import { numberIn, objectIn } from '../kit/fields.ts'
import { isEmpty, keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import type { Calls } from './calls.ts'
import { newText, settleTexts, switchTo, type TextHolder } from './message.ts'
import type { RawEvent, RawSegment, ReasoningSegment, ResponseMetadata, TextSegment } from './raw.ts'
import { type Reasoning, sealedBlock, settleItem } from './reasoning.ts'

/** One Event while it is built. */
export interface Message extends TextHolder {
  /** Whether the stream has the id. An Event that only has deltas gets a generated one. */
  readonly isNamed: boolean
  readonly reasoning: Reasoning
  isEnded: boolean
}

const ROLES: ReadonlySet<string> = new Set<Role>(['user', 'assistant', 'system', 'tool'])

/** An Event's role, by default the assistant. */
export function roleOf({ role }: RawEvent): Role {
  return ROLES.has(role ?? '') ? (role as Role) : 'assistant'
}

/** Adds what a whole Event adds to its stream. Segments of one kind are settled in their order. */
export function pushWhole(out: Out, message: Message, event: RawEvent, calls: Calls): void {
  const segments = event.segments ?? []
  const texts = segments.filter((segment) => segment.type === 'text')
  const streamed = message.texts.length
  const isSame = message.texts.every(({ text }, index) => text === texts[index]?.text)
  const answeredIds = new Set(segments.flatMap((segment) => (segment.type === 'tool_result' ? [segment.id] : [])))
  let textIndex = -1

  function pushText(own: Out, segment: TextSegment): void {
    textIndex++
    if (isSame && textIndex >= streamed) {
      newText(own, message, segment.text ?? '')
      pushCitations(own, message, [segment])
    } else if (textIndex === 0) {
      const wholeTexts = texts.map(({ text }) => text ?? '')
      if (!isSame) settleTexts(own, message, wholeTexts)
      pushCitations(own, message, texts)
    }
  }

  for (const segment of segments) {
    const own: Out = []
    if (segment.type === 'reasoning') pushReasoning(own, message, segment)
    else if (segment.type === 'text') pushText(own, segment)
    else if (!pushExtra(own, segment)) {
      switchTo(own, message, undefined)
      pushCall(own, segment, calls, answeredIds)
    }
    out.push(...withMillraceFields(segment, own))
  }
}

type OtherSegment = Exclude<RawSegment, TextSegment | ReasoningSegment>

function pushCall(out: Out, segment: OtherSegment, calls: Calls, answeredIds: ReadonlySet<string>): void {
  if (segment.type === 'tool_result') calls.output(out, segment)
  else if (segment.type === 'web_search_call' || segment.type === 'code_interpreter_call') {
    // The status only reports the end. The output is in the result segment.
    calls.builtIn(out, answeredIds.has(segment.id) ? { ...segment, status: 'in_progress' } : segment)
  } else if (segment.type === 'tool_call') {
    calls.segment(out, segment)
    if (!calls.isAnswered(segment.id)) calls.input(out, segment.id, segment.args ?? {})
  } else out.push(...unmapped({ type: 'segment', segment }))
}

export function pushReasoning(out: Out, message: Message, segment: ReasoningSegment): void {
  const itemId = segment.id ?? `${message.id}:reasoning`
  settleItem(out, message, itemId, segment.parts ?? [], segment.combined_text ?? '')
  // The signature and encrypted content that the provider needs back. Redacted reasoning has nothing else.
  const seal = present({ signature: segment.signature, encrypted: segment.encrypted_content })
  if (isEmpty(seal)) return
  const { id: blockId } = sealedBlock(out, message, itemId)
  out.push({ type: 'block-patch', blockId, ...seal })
}

/** Offsets are within the text of a segment. If the stream split the text differently, the last block has them all. */
export function pushCitations(out: Out, { texts }: Message, segments: readonly TextSegment[]): void {
  const isSame = segments.length === texts.length
  segments.forEach(({ citations }, segmentIndex) => {
    const blockId = (isSame ? texts[segmentIndex] : texts.at(-1))?.id
    if (blockId === undefined || !citations || citations.length === 0) return
    out.push({ type: 'block-patch', blockId, citations })
    citations.forEach(({ url, title }, index) => {
      const at = typeof url === 'string' ? ({ kind: 'url', url } as const) : ({ kind: 'document' } as const)
      const titleField = typeof title === 'string' ? { title } : {}
      out.push({ type: 'source', sourceId: `${blockId}:source-${index}`, ...at, blockId, ...titleField })
    })
  })
}

const SPELLINGS = {
  inputTokens: ['prompt_tokens'],
  outputTokens: ['completion_tokens'],
  reasoningTokens: ['reasoning_tokens'],
}

/** Adds the end of an Event, with the usage and the id of the response that it was made from. */
export function pushEnd(out: Out, message: Message, details: ResponseMetadata | null | undefined): void {
  const { usage, completion_status: status, openai_response_id: response_id } = details ?? {}
  const isCut = status === 'interrupted' || status === 'partial'
  const total = numberIn(usage?.total_tokens)
  const completion = numberIn(usage?.completion_tokens)
  const prompt = total === undefined || completion === undefined ? {} : { inputTokens: total - completion }
  switchTo(out, message, undefined)
  out.push(...usageEvents({ ...prompt, ...countsOf(usage ?? {}, SPELLINGS) }, { scope: 'step' }), {
    type: 'message-end',
    messageId: message.id,
    ...(isCut && { interrupted: true }),
    ...keep('openai', { response_id: response_id || undefined }),
  })
}

/** The types of segments that are events of Millrace as they are. */
const EVENTS: ReadonlySet<string> = new Set(['source', 'file', 'status', 'error', 'data', 'todos', 'approval'])

type AnySegment = { readonly type: string; readonly millrace?: unknown }

/** Adds the events of a segment of a type that Millrace adds to the protocol. Returns false for any other type. */
export function pushExtra(out: Out, { type, millrace, ...fields }: AnySegment): boolean {
  if (EVENTS.has(type)) {
    out.push({ ...fields, ...present({ agentId: objectIn(millrace).agentId }), type } as StreamEvent)
    return true
  }
  if (type !== 'subagent') return false
  const { agentId, name, task, callId, parentAgentId, status, summary } = fields as {
    readonly [field: string]: unknown
  }
  out.push({ type: 'subagent-start', agentId, name, ...present({ task, callId, parentAgentId }) } as StreamEvent)
  if (status !== undefined) out.push({ type: 'subagent-end', agentId, status, ...present({ summary }) } as StreamEvent)
  return true
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
export function withMillraceFields({ millrace }: AnySegment, events: readonly StreamEvent[]): readonly StreamEvent[] {
  if (!isJsonObject(millrace) || events.length === 0) return events
  return events.map((event) => {
    const fields = (MILLRACE_FIELDS[event.type] ?? []).filter((field) => millrace[field] !== undefined)
    return { ...event, ...Object.fromEntries(fields.map((field) => [field, millrace[field]])) }
  })
}
