import type { StreamEvent } from '../../events.ts'
import { isJsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import type { OpenBlock, Prose } from './blocks.ts'
import { citationEvents } from './citations.ts'
import type { Delta, ReasoningDelta } from './raw.ts'

/** Returns undefined and changes nothing if the delta does not fit its block. */
export function deltaEvents(delta: Delta, block: OpenBlock): readonly StreamEvent[] | undefined {
  if (typeof delta.text === 'string') return block.kind === 'text' ? textEvents(delta.text, block) : undefined
  if (delta.reasoningContent) {
    return block.kind === 'reasoning' ? reasoningEvents(delta.reasoningContent, block) : undefined
  }
  if (delta.toolUse) return block.kind === 'tool' ? inputEvents(delta.toolUse.input, block) : undefined
  if (delta.citation) {
    if (block.kind !== 'text') return undefined
    const citations = [...block.citations, delta.citation]
    const events = citationEvents(block.id, citations, block.citations.length)
    block.citations = citations
    return events
  }
  if (delta.toolResult && block.kind === 'result') {
    block.content.push(...delta.toolResult)
    return SILENT
  }
  if (isJsonObject(delta.image) && block.kind === 'image') {
    block.parts.push(delta.image)
    return SILENT
  }
  return undefined
}

function textEvents(text: string, block: Prose): readonly StreamEvent[] {
  block.deltas++
  return text === '' ? SILENT : [{ type: 'block-delta', blockId: block.id, text }]
}

function reasoningEvents(delta: ReasoningDelta, block: Prose): readonly StreamEvent[] | undefined {
  const { text, signature, redactedContent } = delta
  if (typeof text === 'string') return textEvents(text, block)
  if (typeof signature === 'string') return [{ type: 'block-patch', blockId: block.id, signature }]
  if (typeof redactedContent !== 'string') return undefined
  // The stop emits all parts at once, because a patch replaces the earlier value.
  block.hasMoreRedacted = block.redacted !== ''
  block.redacted += redactedContent
  return block.hasMoreRedacted ? SILENT : [{ type: 'block-patch', blockId: block.id, encrypted: redactedContent }]
}

/** Some gateways send the whole input as an object. */
function inputEvents(input: unknown, block: Extract<OpenBlock, { kind: 'tool' }>): readonly StreamEvent[] | undefined {
  if (typeof input === 'string') {
    return input === '' ? SILENT : [{ type: 'tool-input-delta', callId: block.id, text: input }]
  }
  if (typeof input !== 'object' || input === null) return undefined
  block.input = input as never
  return SILENT
}
