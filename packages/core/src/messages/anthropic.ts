import type { ChatEvent, DataSegment, ReasoningSegment, TextSegment, ToolSegment } from '../fold/shapes.ts'
import { isJsonObject, type Json } from '../json.ts'
import { anthropicFile } from './anthropic-files.ts'
import type { AnthropicBlock, AnthropicMessage, AnthropicToolResult } from './anthropic-types.ts'
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
  const plain = plainMessagesOf(chatEvents, options)
  const { losses } = plain
  const ids = createCallIds(idRules.anthropic, (call) => losses.add('call-id', '', call.callId))
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
    messages: settled(content, losses),
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
  const content = message.parts.flatMap((part) => blocksOf(part, message.chatEvent, context))
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
      return part.text === '' ? [] : [textBlock(part.text, part.segment)]
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
      return [{ type: 'text', text: fileLine(part.segment) }]
    }
    case 'data':
      return dataBlock(part.segment, chatEvent)
    case 'status': {
      const { fallback } = keptBy('anthropic', part.segment.meta)
      return isJsonObject(fallback) ? [{ ...fallback, type: 'fallback' }] : []
    }
  }
}

const fileLine = ({ filename, fileId, mediaType }: { filename?: string; fileId: string; mediaType: string }) =>
  `[file ${filename ?? fileId}, ${mediaType}]`

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

function dataBlock({ name, data }: DataSegment, { model }: ChatEvent): readonly Block[] {
  if (!isJsonObject(data)) return []
  if (name === 'mcp_tool_listing') return [{ ...data, type: name }]
  const isOwn = name === 'compaction' && (model === undefined || /claude/i.test(model)) && data.id === undefined
  return isOwn ? [{ ...data, type: 'compaction' }] : []
}

/** The newest container in which the provider's code ran. */
function containerIn(chatEvents: readonly ChatEvent[]): string | undefined {
  const ids = chatEvents.map(({ meta }) => idIn(meta?.anthropic?.container))
  return ids.findLast((id) => id !== undefined)
}

const idIn = (container: Json | undefined) =>
  isJsonObject(container) && typeof container.id === 'string' ? container.id : undefined

/** Equal roles in a row are one message, no message is empty, and nothing stands before the newest compaction. */
function settled(all: readonly AnthropicMessage<FileReference>[], losses: Losses): AnthropicMessage<FileReference>[] {
  const messages: AnthropicMessage<FileReference>[] = []
  for (const { role, content } of fromCompaction(all, losses)) {
    const last = messages.at(-1)
    const blocks = role === 'assistant' ? withoutOpenEnd(content) : content
    if (blocks.length === 0) continue
    if (last?.role === role) messages.splice(-1, 1, { role, content: [...last.content, ...blocks] })
    else messages.push({ role, content: blocks })
  }
  return withoutTrailingSpace(messages)
}

const isThinking = (block: Block | undefined) => block?.type === 'thinking' || block?.type === 'redacted_thinking'

/** A message does not end with a thought: what followed it never came. */
function withoutOpenEnd(content: Block[]): Block[] {
  const end = content.findLastIndex((block) => !isThinking(block))
  return content.slice(0, end + 1)
}

function fromCompaction(
  messages: readonly AnthropicMessage<FileReference>[],
  losses: Losses,
): readonly AnthropicMessage<FileReference>[] {
  const index = messages.findLastIndex(({ content }) => content.some(({ type }) => type === 'compaction'))
  const message = messages[index]
  if (message === undefined) return messages
  const first = message.content.findLastIndex(({ type }) => type === 'compaction')
  if (index > 0 || first > 0) losses.add('compacted', '')
  return [{ ...message, content: message.content.slice(first) }, ...messages.slice(index + 1)]
}

function withoutTrailingSpace(messages: AnthropicMessage<FileReference>[]): AnthropicMessage<FileReference>[] {
  const last = messages.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || block?.type !== 'text' || !/\s$/.test((block as { text: string }).text))
    return messages
  const text = (block as { text: string }).text.trimEnd()
  const content = [...last.content.slice(0, -1), ...(text === '' ? [] : [{ ...block, text } as Block])]
  return [...messages.slice(0, -1), ...(content.length === 0 ? [] : [{ ...last, content }])]
}
