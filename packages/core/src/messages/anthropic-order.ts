import { isJsonObject } from '../json.ts'
import type { AnthropicBlock, AnthropicMessage } from './anthropic-types.ts'
import { withBeginning } from './beginning.ts'
import type { Losses } from './losses.ts'
import type { AssistantPart, PlainMessage } from './plain.ts'
import type { FileReference } from './request.ts'
import type { CallResult } from './results.ts'

type Block = AnthropicBlock<FileReference>

/** Equal roles in a row are one message, and no message is empty. */
export function settled(all: readonly AnthropicMessage<FileReference>[]): AnthropicMessage<FileReference>[] {
  const messages: AnthropicMessage<FileReference>[] = []
  for (const { role, content } of all) {
    const last = messages.at(-1)
    const blocks = role === 'assistant' ? withoutOpenEnd(content) : content.filter(isFilled)
    if (blocks.length === 0) continue
    if (last?.role === role) messages.splice(-1, 1, { role, content: [...last.content, ...blocks] })
    else messages.push({ role, content: blocks })
  }
  return withoutTrailingSpace(messages)
}

const isFilled = (block: Block) => block.type !== 'text' || (block as { text: string }).text.trim() !== ''

const isThinking = (block: Block | undefined) => block?.type === 'thinking' || block?.type === 'redacted_thinking'

/** A message does not end with a thought: what followed it never came. */
function withoutOpenEnd(content: Block[]): Block[] {
  const end = content.findLastIndex((block) => !isThinking(block))
  return content.slice(0, end + 1)
}

/** A message with calls begins with its thought, if it has one: thoughts that stand behind the calls alone are refused. */
export function withoutLateThoughts(content: Block[], onLost: () => void): Block[] {
  const call = content.findIndex(({ type }) => type === 'tool_use')
  const isLate = call !== -1 && !content.slice(0, call).some(isThinking) && content.some(isThinking)
  if (!isLate) return content
  onLost()
  return content.filter((block) => !isThinking(block))
}

/** What the provider takes as a beginning: a message of the user, or a compaction. */
export function begun(messages: readonly PlainMessage[], losses: Losses): readonly PlainMessage[] {
  const compacted = fromCompaction(messages, losses)
  return compacted === messages ? withBeginning(messages, losses) : compacted
}

/** The newest compaction stands for everything before it, and is refused behind anything else. */
function fromCompaction(messages: readonly PlainMessage[], losses: Losses): readonly PlainMessage[] {
  const index = messages.findLastIndex((message) => message.role === 'assistant' && message.parts.some(isCompaction))
  const message = messages[index]
  if (message?.role !== 'assistant') return messages
  const parts = message.parts.slice(message.parts.findLastIndex(isCompaction))
  const isLeft = ({ call }: CallResult) => parts.some((part) => part.kind === 'call' && part.call === call)
  const system = messages.slice(0, index).filter(({ role }) => role === 'system')
  losses.add('compacted', message.chatEvent.id)
  return [...system, { ...message, parts, results: message.results.filter(isLeft) }, ...messages.slice(index + 1)]
}

/** Others that compact call it so, too: an item of OpenAI has an id, and programs give a summary in place of the content. */
export function isCompaction(part: AssistantPart): boolean {
  if (part.kind !== 'data' || part.segment.name !== 'compaction' || !isJsonObject(part.segment.data)) return false
  const { id, content, encrypted_content } = part.segment.data
  return id === undefined && (typeof content === 'string' || typeof encrypted_content === 'string')
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
