import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { tellOther } from '../langchain/content.ts'
import { metadataEvents } from '../langchain/details.ts'
import type { Graph } from '../langchain/graph.ts'
import { objectOf, wordOf } from '../langchain/message.ts'
import { type CallPiece, indexOf, type Piece, piecesOfBlock } from '../langchain/pieces.ts'
import { sayFinally, sayMore, sayUpTo } from '../langchain/prose.ts'
import { closeBlock, inputEvents, type Told } from '../langchain/told.ts'
import { callSoFar } from '../langchain/tool-calls.ts'
import { raiseUsage } from '../langchain/usage.ts'
import { SILENT, understood, unmapped } from '../parser.ts'

/** A block begins, perhaps with text. A block that arrives whole is read when it is finished. */
export function blockStart(graph: Graph, message: Told, data: JsonObject): readonly StreamEvent[] {
  const { index, content } = data
  if (!isJsonObject(content)) return unmapped(data)
  return understood(piecesAt(content, index).flatMap((piece) => pieceEvents(graph, message, piece)))
}

export function blockDelta(graph: Graph, message: Told, data: JsonObject): readonly StreamEvent[] {
  const { index, delta } = data
  const { type, text, reasoning, fields } = objectOf(delta)
  const key = indexOf(index) ?? ''
  if (type === 'text-delta' && typeof text === 'string')
    return understood(sayMore(message, { kind: 'text', key: `text:${key}`, text }))
  if (type === 'reasoning-delta' && typeof reasoning === 'string')
    return understood(sayMore(message, { kind: 'reasoning', key: `reasoning:${key}`, text: reasoning }))
  if (type !== 'block-delta' || !isJsonObject(fields)) return unmapped(data)
  // Fragments of an input accompany the input so far, which is sufficient.
  if (fields.type === 'input_json_delta') return SILENT
  return understood(piecesAt(fields, index).flatMap((piece) => pieceEvents(graph, message, piece)))
}

/** The final state of the block. */
export function blockFinish(graph: Graph, message: Told, data: JsonObject): readonly StreamEvent[] {
  const { index, content } = data
  if (!isJsonObject(content)) return unmapped(data)
  const events = piecesAt(content, index).flatMap((piece) => {
    if (piece.kind === 'call') return finishCall(graph, message, piece)
    if (piece.kind !== 'text' && piece.kind !== 'reasoning') return tellOther(graph.calls, message, piece)
    const proseEvents = sayFinally(message, piece)
    return message.byKey.get(piece.key) === message.current ? [...proseEvents, ...closeBlock(message)] : proseEvents
  })
  return understood(events)
}

function finishCall(graph: Graph, message: Told, piece: CallPiece): StreamEvent[] {
  const callEvents = callSoFar(graph.calls, message, piece)
  const call = message.calls.find(({ callId, index }) => callId === piece.id || index === piece.index)
  return call === undefined ? callEvents : [...callEvents, ...inputEvents(call)]
}

/** Metadata and usage at a message's end, or before: usage is counted from the beginning each time. */
export function finishMessage(_graph: Graph, message: Told, data: JsonObject): StreamEvent[] {
  const metadata = objectOf(data.metadata ?? data.responseMetadata ?? data.response_metadata)
  message.reason = wordOf(data.reason) ?? message.reason
  return [
    ...metadataEvents(message, metadata),
    ...raiseUsage(message, isJsonObject(data.usage) ? data.usage : undefined),
  ]
}

function piecesAt(content: JsonObject, index: Json | undefined): readonly Piece[] {
  return piecesOfBlock({ ...content, index: index ?? null })
}

/** Blocks and inputs are repeated from their beginning. */
function pieceEvents(graph: Graph, message: Told, piece: Piece): StreamEvent[] {
  if (piece.kind === 'call') return callSoFar(graph.calls, message, piece)
  return piece.kind === 'text' || piece.kind === 'reasoning' ? sayUpTo(message, piece) : []
}
