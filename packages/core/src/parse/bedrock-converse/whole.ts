import type { StreamEvent } from '../../events.ts'
import type { CallNames } from '../anthropic-messages/call-names.ts'
import { unmapped } from '../parser.ts'
import { answering, closeBlock, fileEvents, type OpenBlock, openBlock, openProse, resultEvent } from './blocks.ts'
import { citationEvents } from './citations.ts'
import type { WholeBlock } from './raw.ts'

/** A block of a response that was not streamed. */
export function wholeBlock(block: WholeBlock, id: string, names: CallNames): readonly StreamEvent[] {
  const { text, toolUse, toolResult, reasoningContent, citationsContent, image } = block
  if (typeof text === 'string') return prose(openProse('text', id), textDelta(id, text))
  if (reasoningContent) return wholeReasoning(reasoningContent, id)
  if (citationsContent) {
    const { content, citations } = citationsContent
    const cited = citations ?? []
    return prose(openProse('text', id), [
      ...textDelta(id, (content ?? []).map((part) => part.text ?? '').join('')),
      ...(cited.length === 0 ? [] : citationEvents(id, cited, 0)),
    ])
  }
  if (toolResult) return [resultEvent(answering(toolResult, names), toolResult.content ?? [])]
  if (image) return fileEvents(id, [image], undefined)
  const opened = toolUse ? openBlock({ toolUse }, id, names) : undefined
  return opened === undefined ? unmapped(block) : prose(opened, [])
}

function wholeReasoning(reasoning: NonNullable<WholeBlock['reasoningContent']>, id: string): readonly StreamEvent[] {
  const { reasoningText, redactedContent } = reasoning
  if (redactedContent) {
    return prose(openProse('reasoning', id, 'redacted'), [
      { type: 'block-patch', blockId: id, encrypted: redactedContent },
    ])
  }
  const { text, signature } = reasoningText ?? {}
  const signed: StreamEvent[] = signature ? [{ type: 'block-patch', blockId: id, signature }] : []
  return prose(openProse('reasoning', id, 'thinking'), [...textDelta(id, text ?? ''), ...signed])
}

function prose(opened: { block: OpenBlock; events: readonly StreamEvent[] }, inside: readonly StreamEvent[]) {
  return [...opened.events, ...inside, ...closeBlock(opened.block)]
}

function textDelta(blockId: string, text: string): StreamEvent[] {
  return text === '' ? [] : [{ type: 'block-delta', blockId, text }]
}
