import type { ChatEvent, ReasoningSegment, TextSegment, ToolSegment } from '../fold/shapes.ts'
import { isJsonObject, type Json } from '../json.ts'
import { anthropicFile } from './anthropic-files.ts'
import { begun, isCompaction, settled, withoutLateThoughts } from './anthropic-order.ts'
import type { AnthropicBlock, AnthropicMessage, AnthropicToolResult } from './anthropic-types.ts'
import { fileText } from './files.ts'
import { type CallIds, createCallIds, idRules, toolNameOf } from './ids.ts'
import type { Losses } from './losses.ts'
import { type AssistantMessage, type AssistantPart, plainMessagesOf, type UserMessage } from './plain.ts'
import { isSameModel, keptBy, ownerOf } from './provenance.ts'
import type { FileReference, MessageOptions, MessageRequest } from './request.ts'
import { type CallResult, inputObjectOf, lineOf } from './results.ts'
import { withSystem } from './system.ts'

export type AnthropicRequest<File = never> = MessageRequest<'anthropic', AnthropicMessage<File>>

type Block = AnthropicBlock<FileReference>

interface Context {
  readonly options: MessageOptions
  readonly losses: Losses
  readonly ids: CallIds
  /** The provider's calls that the messages contain: only those may have a result. */
  readonly sent: Set<ToolSegment>
}

/** The messages of a request to Anthropic. */
export function toAnthropicMessages(
  chatEvents: readonly ChatEvent[],
  options: MessageOptions = {},
): AnthropicRequest<FileReference> {
  const whole = plainMessagesOf(chatEvents, options)
  const { losses } = whole
  const plain = { messages: begun(whole.messages, losses), losses }
  const ids = createCallIds(idRules.anthropic, plain)
  const context: Context = { options, losses, ids, sent: new Set() }
  const { system, messages } = withSystem(plain.messages)
  const content = messages.flatMap((message): AnthropicMessage<FileReference>[] => {
    if (message.role === 'system') return [{ role: 'system', content: [{ type: 'text', text: message.text }] }]
    if (message.role === 'user') return [{ role: 'user', content: userBlocks(message, context) }]
    return assistantMessages(message, context)
  })
  const container = containerIn(chatEvents)
  return {
    target: 'anthropic',
    messages: settled(content),
    ...(system !== undefined && { system }),
    ...(container !== undefined && { container }),
    losses: losses.all(),
  }
}

function userBlocks({ id, parts }: UserMessage, { losses }: Context): Block[] {
  return parts.map((part) =>
    part.kind === 'text' ? { type: 'text', text: part.text } : anthropicFile(part.file, () => losses.add('file', id)),
  )
}

function assistantMessages(message: AssistantMessage, context: Context): AnthropicMessage<FileReference>[] {
  const blocks = message.parts.flatMap((part) => blocksOf(part, message.chatEvent, context))
  const content = withoutLateThoughts(blocks, () => context.losses.add('thinking', message.chatEvent.id))
  const results = message.results.map((result) => resultBlock(result, message.chatEvent, context))
  return [
    { role: 'assistant', content },
    { role: 'user', content: results },
  ]
}

function blocksOf(part: AssistantPart, chatEvent: ChatEvent, context: Context): readonly Block[] {
  const { id } = chatEvent
  const { losses } = context
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? [] : [textBlock(part.text, part.segment)]
    case 'reasoning':
      return thinkingBlock(part.segment, chatEvent, context)
    case 'call':
      return [useBlock('tool_use', part.call, id, context)]
    case 'provider-call':
      return providerCall(part, chatEvent, context)
    case 'provider-result':
      return context.sent.has(part.call) ? [providerResult(part, context)] : []
    case 'file': {
      const fileId = keptBy('anthropic', part.segment.meta).file_id
      if (typeof fileId === 'string') return [{ type: 'container_upload', file_id: fileId }]
      losses.add('file', id)
      return [{ type: 'text', text: fileText(part.segment) }]
    }
    case 'data':
      return dataBlock(part)
    case 'status': {
      const { fallback } = keptBy('anthropic', part.segment.meta)
      return isJsonObject(fallback) && fallback.from !== undefined && fallback.to !== undefined
        ? [{ ...fallback, type: 'fallback' }]
        : []
    }
  }
}

const CITATION =
  /^(?:char_location|page_location|content_block_location|web_search_result_location|search_result_location)$/

function textBlock(text: string, { citations = [], text: ownText }: TextSegment): Block {
  const own = citations.filter(isJsonObject).filter(({ type }) => CITATION.test(String(type)))
  return { type: 'text', text, ...(own.length > 0 && text === ownText && { citations: own }) }
}

/** Only what Anthropic sealed for this model, byte for byte. */
function thinkingBlock(
  segment: ReasoningSegment,
  chatEvent: ChatEvent,
  { options, losses }: Context,
): readonly Block[] {
  const { text, signature, encrypted, variant } = segment
  const isOwn = ownerOf(segment, chatEvent) === 'anthropic' && isSameModel(options.model, chatEvent)
  if (isOwn && encrypted !== undefined && variant === 'redacted')
    return [{ type: 'redacted_thinking', data: encrypted }]
  if (isOwn && signature !== undefined) return [{ type: 'thinking', thinking: text, signature }]
  losses.add('thinking', chatEvent.id)
  return []
}

function useBlock(
  type: 'tool_use' | 'server_tool_use' | 'mcp_tool_use',
  call: ToolSegment,
  id: string,
  { ids, losses }: Context,
): Block {
  const { caller, toolset_name } = keptBy('anthropic', call.meta)
  return {
    type,
    id: ids.idOf(call),
    name: type === 'tool_use' ? toolNameOf(call, id, losses, 128) : call.name,
    input: inputObjectOf(call),
    ...(caller !== undefined && { caller }),
    ...(typeof toolset_name === 'string' && { toolset_name }),
    ...(type === 'mcp_tool_use' && call.server !== undefined && { server_name: call.server }),
  }
}

function providerCall(
  { call, state }: Extract<AssistantPart, { kind: 'provider-call' }>,
  { id }: ChatEvent,
  context: Context,
): readonly Block[] {
  const { type } = keptBy('anthropic', call.meta)
  const isOwn = type === 'server_tool_use' || type === 'mcp_tool_use'
  if (isOwn && state !== 'unfinished') {
    context.sent.add(call)
    return [useBlock(type, call, id, context)]
  }
  context.losses.add(isOwn ? 'unfinished-provider-tool' : 'provider-tool', id, call.callId)
  return [{ type: 'text', text: lineOf(call, call.output, call.error) }]
}

function providerResult(
  { call, answer }: Extract<AssistantPart, { kind: 'provider-result' }>,
  { ids }: Context,
): Block {
  const { result_type: type, caller } = keptBy('anthropic', answer.meta)
  const isServed = call.server !== undefined
  return {
    type:
      typeof type === 'string'
        ? (type as 'web_search_tool_result')
        : isServed
          ? 'mcp_tool_result'
          : `${call.name}_tool_result`,
    tool_use_id: ids.idOf(call),
    content: answer.output ?? '',
    ...(isServed && answer.state === 'failed' && { is_error: true }),
    ...(caller !== undefined && !isServed && { caller }),
  }
}

function resultBlock(result: CallResult, { id }: ChatEvent, { ids, losses }: Context): Block {
  const { call, text, isError, files } = result
  const { toolset_name } = keptBy('anthropic', call.meta)
  const shown = isError ? [] : files.map((file) => anthropicFile(file, () => losses.add('file', id)))
  const blocks: AnthropicToolResult<FileReference>['content'] = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...shown,
  ]
  return {
    type: 'tool_result',
    tool_use_id: ids.idOf(call),
    ...(shown.length > 0 ? { content: blocks } : text !== '' && { content: text }),
    ...(isError && { is_error: true }),
    ...(typeof toolset_name === 'string' && { toolset_name }),
  }
}

function dataBlock(part: Extract<AssistantPart, { kind: 'data' }>): readonly Block[] {
  const { name, data } = part.segment
  if (!isJsonObject(data)) return []
  if (name === 'mcp_tool_listing') return [{ ...data, type: name }]
  return isCompaction(part) ? [{ ...data, type: 'compaction' }] : []
}

/** The newest container in which the provider's code ran. */
function containerIn(chatEvents: readonly ChatEvent[]): string | undefined {
  const ids = chatEvents.map(({ meta }) => idIn(meta?.anthropic?.container))
  return ids.findLast((id) => id !== undefined)
}

const idIn = (container: Json | undefined) =>
  isJsonObject(container) && typeof container.id === 'string' ? container.id : undefined
