import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { emitOther, isProse } from '../langchain/content.ts'
import { type CallPart, type ContentPart, indexOf, partsOfBlock } from '../langchain/content-parts.ts'
import { metadataEvents } from '../langchain/details.ts'
import { closeBlock, type EmittedMessage, inputEvents } from '../langchain/emitted-message.ts'
import type { Graph } from '../langchain/graph.ts'
import { objectOf, wordOf } from '../langchain/message.ts'
import { addProse, extendProse, settleProse } from '../langchain/prose.ts'
import { callSoFar } from '../langchain/tool-calls.ts'
import { raiseUsage } from '../langchain/usage.ts'
import { SILENT, understood, unmapped } from '../parser.ts'

/** A block begins, perhaps with text. A block that arrives whole is read when it is finished. */
export function blockStart(graph: Graph, message: EmittedMessage, data: JsonObject): readonly StreamEvent[] {
  const { index, content } = data
  if (!isJsonObject(content)) return unmapped(data)
  return understood(partsAt(content, index).flatMap((part) => partEvents(graph, message, part)))
}

export function blockDelta(graph: Graph, message: EmittedMessage, data: JsonObject): readonly StreamEvent[] {
  const { index, delta } = data
  const { type, text, reasoning, fields } = objectOf(delta)
  const key = indexOf(index) ?? ''
  if (type === 'text-delta' && typeof text === 'string')
    return understood(addProse(message, { kind: 'text', key: `text:${key}`, text }))
  if (type === 'reasoning-delta' && typeof reasoning === 'string')
    return understood(addProse(message, { kind: 'reasoning', key: `reasoning:${key}`, text: reasoning }))
  if (type !== 'block-delta' || !isJsonObject(fields)) return unmapped(data)
  // Fragments of an input accompany the input so far, which is sufficient.
  if (fields.type === 'input_json_delta') return SILENT
  return understood(partsAt(fields, index).flatMap((part) => partEvents(graph, message, part)))
}

/** The final state of the block. */
export function blockFinish(graph: Graph, message: EmittedMessage, data: JsonObject): readonly StreamEvent[] {
  const { index, content } = data
  if (!isJsonObject(content)) return unmapped(data)
  const events = partsAt(content, index).flatMap((part) => {
    if (part.kind === 'call') return finishCall(graph, message, part)
    if (!isProse(part)) return emitOther(graph.calls, message, part)
    const proseEvents = settleProse(message, part)
    return message.byKey.get(part.key) === message.current ? [...proseEvents, ...closeBlock(message)] : proseEvents
  })
  return understood(events)
}

function finishCall(graph: Graph, message: EmittedMessage, part: CallPart): StreamEvent[] {
  const callEvents = callSoFar(graph.calls, message, part)
  const call = message.calls.find(({ callId, index }) => callId === part.id || index === part.index)
  return call === undefined ? callEvents : [...callEvents, ...inputEvents(call)]
}

/** Metadata and usage at a message's end, or before: usage is counted from the beginning each time. */
export function finishMessage(_graph: Graph, message: EmittedMessage, data: JsonObject): StreamEvent[] {
  const metadata = objectOf(data.metadata ?? data.responseMetadata ?? data.response_metadata)
  message.reason = wordOf(data.reason) ?? message.reason
  return [
    ...metadataEvents(message, metadata),
    ...raiseUsage(message, isJsonObject(data.usage) ? data.usage : undefined),
  ]
}

function partsAt(content: JsonObject, index: Json | undefined): readonly ContentPart[] {
  return partsOfBlock({ ...content, index: index ?? null })
}

/** Blocks and inputs are repeated from their beginning. */
function partEvents(graph: Graph, message: EmittedMessage, part: ContentPart): StreamEvent[] {
  if (part.kind === 'call') return callSoFar(graph.calls, message, part)
  return isProse(part) ? extendProse(message, part) : []
}
