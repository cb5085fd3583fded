import type { ChatEvent, ReasoningSegment, TextSegment } from '../fold/shapes.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { fileText } from './files.ts'
import { type CallIds, createCallIds, idRules } from './ids.ts'
import type { Losses } from './losses.ts'
import { type AssistantMessage, type AssistantPart, type PlainMessage, plainMessagesOf } from './plain.ts'
import { isSameModel, keptBy, ownerOf } from './provenance.ts'
import type { FileReference, MessageOptions, MessageRequest } from './request.ts'
import { callItem, isPaired, outputItem, pairedCall, pairedOutput, providerItem } from './responses-calls.ts'
import { responsesFile } from './responses-files.ts'
import type { OwnItemType, ResponsesContent, ResponsesItem, ResponsesReasoning } from './responses-types.ts'
import { lineOf } from './results.ts'

export type ResponsesRequest<File = never> = MessageRequest<'openai-responses', ResponsesItem<File>>

type Item = ResponsesItem<FileReference>

export interface ResponsesContext {
  readonly options: MessageOptions
  readonly losses: Losses
  readonly ids: CallIds
  /** The ids of items that are sent, or that must not be. */
  readonly itemIds: Set<string>
}

/** The input items of a request to OpenAI Responses. */
export function toOpenAIResponses(
  chatEvents: readonly ChatEvent[],
  options: MessageOptions = {},
): ResponsesRequest<FileReference> {
  const plain = plainMessagesOf(chatEvents, options)
  const { messages, losses } = plain
  const ids = createCallIds(idRules.openai, plain)
  const context: ResponsesContext = { options, losses, ids, itemIds: new Set() }
  return {
    target: 'openai-responses',
    messages: messages.flatMap((message) => itemsOf(message, context)),
    losses: losses.all(),
  }
}

function itemsOf(message: PlainMessage, context: ResponsesContext): readonly Item[] {
  if (message.role === 'system') return [{ type: 'message', role: 'system', content: message.text }]
  if (message.role === 'assistant') return responseItems(message, context)
  const content = message.parts.map((part) =>
    part.kind === 'text'
      ? { type: 'input_text' as const, text: part.text }
      : responsesFile(part.file, () => context.losses.add('file', message.id)),
  )
  return [{ type: 'message', role: 'user', content }]
}

/** The items of a response, the outputs of its calls behind them. */
function responseItems({ chatEvent, parts, results }: AssistantMessage, context: ResponsesContext): readonly Item[] {
  const items = parts.reduce<readonly Drafted[]>((before, part) => added(before, part, chatEvent, context), [])
  const outputs = results.map((result) => outputItem(result, chatEvent, context))
  return [...paired(items, chatEvent, context), ...outputs]
}

/** An item, and what it is without its id: the same item unlinked from its reasoning, or a line of text. */
export interface Drafted {
  readonly item: Item
  readonly unlinked: Item | undefined
}

const alone = (item: Item): Drafted => ({ item, unlinked: item })

function added(
  before: readonly Drafted[],
  part: AssistantPart,
  chatEvent: ChatEvent,
  context: ResponsesContext,
): readonly Drafted[] {
  const { losses } = context
  switch (part.kind) {
    case 'text':
      return part.text === '' ? before : withText(before, part.segment, part.text)
    case 'reasoning':
      return ownerOf(part.segment, chatEvent) === 'openai' ? withReasoning(before, part.segment) : before
    case 'call':
      return [...before, callItem(part.call, chatEvent, context)]
    case 'provider-call':
      if (isPaired(part.call, part.call)) return [...before, pairedCall(part.call)]
      return part.state === 'answered' ? before : withoutAnswer(before, part.call.callId, chatEvent, context)
    case 'provider-result': {
      if (isPaired(part.call, part.call)) return [...before, pairedOutput(part.call, part.answer)]
      const item = providerItem(part.call, part.answer)
      if (item !== undefined) return [...before, item]
      losses.add('provider-tool', chatEvent.id, part.call.callId)
      return [...before, alone(assistantText(lineOf(part.call, part.answer.output, part.answer.error)))]
    }
    case 'file':
      losses.add('file', chatEvent.id)
      return [...before, alone(assistantText(fileText(part.segment)))]
    case 'data': {
      const { name, data } = part.segment
      const item = isJsonObject(data) ? keptItem(name, data) : undefined
      return item === undefined ? before : [...before, alone(item)]
    }
    default:
      return before
  }
}

function withoutAnswer(
  before: readonly Drafted[],
  callId: string,
  { id }: ChatEvent,
  { losses }: ResponsesContext,
): readonly Drafted[] {
  losses.add('unfinished-provider-tool', id, callId)
  return before
}

export const assistantText = (content: string): Item => ({ type: 'message', role: 'assistant', content })

/**
 * Items that are no answer but belong to the conversation, with the field without which the API refuses each. Anthropic's
 * compaction is called the same, but has no id of its own.
 */
const KEPT: { readonly [name: string]: readonly [type: OwnItemType, demanded: string] } = {
  compaction: ['compaction', 'encrypted_content'],
  compaction_summary: ['compaction', 'encrypted_content'],
  context_compaction: ['compaction', 'encrypted_content'],
  mcp_list_tools: ['mcp_list_tools', 'server_label'],
  additional_tools: ['additional_tools', 'tools'],
}

function keptItem(name: string, fields: JsonObject): Item | undefined {
  const [type, demanded = ''] = Object.hasOwn(KEPT, name) ? (KEPT[name] ?? []) : []
  return type === undefined || fields[demanded] === undefined || fields.id === undefined
    ? undefined
    : { ...fields, type }
}

/** The texts of one message item are its parts. */
function withText(before: readonly Drafted[], segment: TextSegment, text: string): readonly Drafted[] {
  const { item_id: id, phase: sent } = keptBy('openai', segment.meta)
  const phase = sent === 'commentary' || sent === 'final_answer' ? { phase: sent as 'commentary' } : {}
  if (typeof id !== 'string' || !ITEM_ID.test(id))
    return [...before, alone({ ...assistantText(text), ...phase } as Item)]
  const annotations = (segment.citations ?? []).filter(isJsonObject)
  const content: ResponsesContent =
    segment.variant === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations }
  const last = before.at(-1)?.item
  const earlier = last?.type === 'message' && 'id' in last && last.id === id ? last.content : []
  const status = segment.state === 'interrupted' ? 'incomplete' : 'completed'
  const all = [...earlier, content]
  const item: Item = { type: 'message', id, role: 'assistant', status, content: all, ...phase }
  const texts = all.map((written) => (written.type === 'refusal' ? written.refusal : written.text))
  const unlinked = { ...assistantText(texts.join('\n\n')), ...phase } as Item
  return [...(earlier.length > 0 ? before.slice(0, -1) : before), { item, unlinked }]
}

/** What the API accepts as the id of an item. */
export const ITEM_ID = /^[\s\S]{1,64}$/

/** The parts of one reasoning item: its summary, its text and its encrypted form. */
function withReasoning(before: readonly Drafted[], segment: ReasoningSegment): readonly Drafted[] {
  const { text, encrypted, variant, meta } = segment
  const { item_id: sentId } = keptBy('openai', meta)
  const id = typeof sentId === 'string' ? sentId : ''
  const last = before.at(-1)?.item
  const earlier = last?.type === 'reasoning' && last.id === id ? (last as ResponsesReasoning) : undefined
  const isSummary = variant === 'summary'
  const summary = [...(earlier?.summary ?? []), ...(isSummary ? [{ type: 'summary_text' as const, text }] : [])]
  const own = !isSummary && text !== '' ? [{ type: 'reasoning_text' as const, text }] : []
  const content = [...(earlier?.content ?? []), ...own]
  const encrypted_content = encrypted ?? earlier?.encrypted_content
  const item: ResponsesReasoning = {
    type: 'reasoning',
    id,
    summary,
    ...(content.length > 0 && { content }),
    ...(encrypted_content !== undefined && { encrypted_content }),
  }
  return [...(earlier === undefined ? before : before.slice(0, -1)), { item, unlinked: undefined }]
}

/**
 * Reasoning goes back only if it can be read there, and only together with the item that follows it. An item whose
 * reasoning stays behind is sent without its id, by which the API would miss the reasoning.
 */
function paired(items: readonly Drafted[], chatEvent: ChatEvent, context: ResponsesContext): readonly Item[] {
  const { options, losses, itemIds } = context
  let isBroken = false
  return items.flatMap(({ item, unlinked }, index): readonly Item[] => {
    const id = 'id' in item ? String(item.id) : undefined
    // An id that occurs again is not an id.
    const isFree = id === undefined || !itemIds.has(id)
    if (id !== undefined) itemIds.add(id)
    if (item.type !== 'reasoning') {
      const isLinked = isFree && !isBroken
      isBroken = false
      return isLinked ? [item] : unlinked === undefined ? [] : [unlinked]
    }
    const follower = items.slice(index + 1).find((next) => next.item.type !== 'reasoning')
    const isReadable =
      ('encrypted_content' in item || options.isStored === true) && isSameModel(options.model, chatEvent)
    if (isFree && follower !== undefined && isReadable && !isBroken)
      return [ITEM_ID.test(String(item.id)) ? item : withoutId(item)]
    isBroken = true
    losses.add('thinking', chatEvent.id)
    return []
  })
}

/** The encrypted form is enough; an id that is too long is refused. */
function withoutId({ id: _, ...item }: Extract<Item, { type: 'reasoning' }>): Item {
  return item as Item
}
