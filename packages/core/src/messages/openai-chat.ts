import type { ChatEvent, ReasoningSegment, ToolSegment } from '../fold/shapes.ts'
import { isJsonObject, type Json } from '../json.ts'
import { chatFile } from './chat-files.ts'
import type { ChatAssistant, ChatCall, ChatCustomCall, ChatMessage, ChatThinking } from './chat-types.ts'
import { type ChatVendor, isPlainThought, vendorOf } from './chat-vendors.ts'
import { fileText } from './files.ts'
import { type CallIds, createCallIds, toolNameOf } from './ids.ts'
import { joinTexts } from './join-texts.ts'
import type { Losses } from './losses.ts'
import {
  type AssistantMessage,
  type AssistantPart,
  type PlainMessage,
  plainMessagesOf,
  type UserMessage,
} from './plain.ts'
import { isSameModel, keptBy } from './provenance.ts'
import type { FileReference, MessageOptions, MessageRequest } from './request.ts'
import { type CallResult, inputObjectOf, lineOf } from './results.ts'

export type ChatRequest<File = never> = MessageRequest<'openai-chat', ChatMessage<File>>

type Message = ChatMessage<FileReference>

interface Context {
  readonly options: MessageOptions
  readonly vendor: ChatVendor
  readonly losses: Losses
  readonly ids: CallIds
}

/** The messages of a request to Chat Completions, or to a service that speaks it (`options.vendor`). */
export function toOpenAIChat(
  chatEvents: readonly ChatEvent[],
  options: MessageOptions = {},
): ChatRequest<FileReference> {
  const whole = plainMessagesOf(chatEvents, options)
  const { messages: plain, losses } = whole
  const vendor = vendorOf(options.vendor)
  const ids = createCallIds(vendor.ids, whole)
  const context: Context = { options, vendor, losses, ids }
  const lastUser = plain.findLastIndex(({ role }) => role === 'user')
  const messages = plain.flatMap((message, index) => rowOf(message, context, index > lastUser))
  return { target: 'openai-chat', messages: merged(messages), losses: losses.all() }
}

function rowOf(message: PlainMessage, context: Context, isLastTurn: boolean): readonly Message[] {
  if (message.role === 'system') return [{ role: 'system', content: message.text }]
  if (message.role === 'user') return [userMessage(message, context)]
  const { chatEvent, results } = message
  const shown = results.flatMap(({ files }) =>
    files.map((file) => chatFile(file, () => context.losses.add('file', chatEvent.id))),
  )
  return [
    ...assistantMessage(message, context, isLastTurn),
    ...results.map((result) => toolMessage(result, context)),
    // A tool message takes only text.
    ...(shown.length > 0 ? [{ role: 'user' as const, content: shown }] : []),
  ]
}

function userMessage({ id, parts }: UserMessage, { losses }: Context): Message {
  const content = parts.map((part) =>
    part.kind === 'text'
      ? { type: 'text' as const, text: part.text }
      : chatFile(part.file, () => losses.add('file', id)),
  )
  return { role: 'user', content }
}

function toolMessage({ call, text, isError }: CallResult, { ids }: Context): Message {
  return { role: 'tool', tool_call_id: ids.idOf(call), content: isError ? `Error: ${text}` : text }
}

function assistantMessage(message: AssistantMessage, context: Context, isLastTurn: boolean): readonly Message[] {
  const { chatEvent, parts } = message
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [callOf(part.call, chatEvent, context)] : []))
  const refusals = parts.filter((part) => part.kind === 'text' && part.segment.variant === 'refusal')
  const texts = parts.filter((part) => !refusals.includes(part)).flatMap((part) => textsOf(part, chatEvent, context))
  const refusal = refusals.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const content = joinTexts(texts)
  if (content === '' && refusal === '' && calls.length === 0) return []
  const { field, ...thoughts } = thoughtsOf(message, context, isLastTurn)
  const written: ChatAssistant = {
    role: 'assistant',
    content:
      field === undefined ? content || (calls.length > 0 || refusal !== '' ? null : '') : partsWith(field, content),
    ...(refusal !== '' && { refusal }),
    ...thoughts,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return [written]
}

const partsWith = (thinking: ChatThinking, text: string) => [
  thinking,
  ...(text === '' ? [] : [{ type: 'text' as const, text }]),
]

function textsOf(part: AssistantPart, { id }: ChatEvent, { losses }: Context): readonly string[] {
  switch (part.kind) {
    case 'text':
      return [part.text]
    case 'file':
      losses.add('file', id)
      return [fileText(part.segment)]
    case 'provider-call':
      if (part.state !== 'answered') losses.add('unfinished-provider-tool', id, part.call.callId)
      return []
    case 'provider-result':
      losses.add('provider-tool', id, part.call.callId)
      return [lineOf(part.call, part.answer.output, part.answer.error)]
    default:
      return []
  }
}

function callOf(
  call: ToolSegment,
  { id: owner }: ChatEvent,
  { ids, losses, vendor }: Context,
): ChatCall | ChatCustomCall {
  const { type, extra_content } = keptBy('openai', call.meta)
  const id = ids.idOf(call)
  const name = toolNameOf(call, owner, losses)
  if (typeof call.input === 'string' && (type === 'custom' || type === 'custom_tool_call'))
    return { id, type: 'custom', custom: { name, input: call.input } }
  const called = { name, arguments: JSON.stringify(inputObjectOf(call)) }
  return {
    id,
    type: 'function',
    function: called,
    ...(vendor.takesExtra && extra_content !== undefined && { extra_content }),
  }
}

/** The thoughts of a message as the service takes them. `field` is a part of its content. */
function thoughtsOf({ chatEvent, parts }: AssistantMessage, context: Context, isLastTurn: boolean) {
  const { vendor, options, losses } = context
  const segments = parts.flatMap((part) => (part.kind === 'reasoning' ? [part.segment] : []))
  const isWanted = isLastTurn || vendor.onlyLastTurn?.test(options.model ?? '') !== true
  const taken = isWanted && isSameModel(options.model, chatEvent) ? segments : []
  const text = taken
    .filter(isPlainThought)
    .map((segment) => segment.text)
    .join('')
  const details = taken.flatMap(detailsOf)
  const isSent =
    vendor.reasoning === 'reasoning_details' ? details.length > 0 : vendor.reasoning !== undefined && text !== ''
  if (segments.length > 0 && !isSent) losses.add('thinking', chatEvent.id)
  if (vendor.reasoning === 'reasoning_details') return details.length > 0 ? { reasoning_details: details } : {}
  if (vendor.reasoning === undefined || (text === '' && (vendor.always !== true || !isWanted))) return {}
  if (vendor.reasoning !== 'parts')
    return { [vendor.isNamed ? fieldIn(taken, vendor.reasoning) : vendor.reasoning]: text }
  return { field: { type: 'thinking' as const, thinking: [{ type: 'text' as const, text }], closed: true as const } }
}

/** The field in which a service sent its thoughts. */
function fieldIn(thoughts: readonly ReasoningSegment[], usual: string): string {
  const fields = thoughts.map(({ meta }) => meta?.openai?.reasoning_field)
  const named = fields.find((field) => field === 'reasoning' || field === 'reasoning_text')
  return typeof named === 'string' ? named : usual
}

/** A thought as OpenRouter sent it. */
function detailsOf({ meta, text, signature, encrypted }: ReasoningSegment): readonly Json[] {
  const details = meta?.openai?.reasoning_details
  if (!isJsonObject(details)) return []
  if (encrypted !== undefined) return [{ ...details, data: encrypted }]
  if (details.type === 'reasoning.summary') return [{ ...details, summary: text }]
  return [{ ...details, text, ...(signature !== undefined && { signature }) }]
}

/** Equal roles in a row are one message. Calls and their results stay as they are. */
function merged(messages: readonly Message[]): Message[] {
  const out: Message[] = []
  for (const message of messages) {
    const last = out.at(-1)
    if (message.role === 'user' && last?.role === 'user') {
      out.splice(-1, 1, { role: 'user', content: [...partsIn(last), ...partsIn(message)] })
    } else if (message.role === 'assistant' && isPlain(last) && isPlain({ ...message, tool_calls: [] })) {
      out.splice(-1, 1, { ...message, content: joinTexts([last.content, String(message.content ?? '')]) })
    } else out.push(message)
  }
  return out.map(simplified)
}

/** An answer that is text alone. */
function isPlain(message: Message | undefined): message is ChatAssistant & { readonly content: string } {
  if (message?.role !== 'assistant' || Array.isArray(message.content)) return false
  const { role: _, content: _content, tool_calls: calls = [], ...more } = message
  return calls.length === 0 && Object.keys(more).length === 0
}

type UserContent = Exclude<Extract<Message, { role: 'user' }>['content'], string>

const partsIn = ({ content }: Extract<Message, { role: 'user' }>): UserContent =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** A text alone is a string, which every service takes. */
function simplified(message: Message): Message {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  const texts = message.content.map((part) => (part.type === 'text' ? part.text : undefined))
  return texts.every((text) => text !== undefined) ? { role: 'user', content: texts.join('\n\n') } : message
}
