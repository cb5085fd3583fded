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

/** A block begins, perhaps with its first words. What comes whole is told when it is finished. */
export function blockStart(graph: Graph, told: Told, data: JsonObject): readonly StreamEvent[] {
  const { index, content } = data
  if (!isJsonObject(content)) return unmapped(data)
  return understood(piecesAt(content, index).flatMap((piece) => sayPiece(graph, told, piece)))
}

export function blockDelta(graph: Graph, told: Told, data: JsonObject): readonly StreamEvent[] {
  const { index, delta } = data
  const { type, text, reasoning, fields } = objectOf(delta)
  const key = indexOf(index) ?? ''
  if (type === 'text-delta' && typeof text === 'string')
    return understood(sayMore(told, { kind: 'text', key: `text:${key}`, text }))
  if (type === 'reasoning-delta' && typeof reasoning === 'string')
    return understood(sayMore(told, { kind: 'reasoning', key: `reasoning:${key}`, text: reasoning }))
  if (type !== 'block-delta' || !isJsonObject(fields)) return unmapped(data)
  // Fragments of an input come beside the input so far, which is enough.
  if (fields.type === 'input_json_delta') return SILENT
  return understood(piecesAt(fields, index).flatMap((piece) => sayPiece(graph, told, piece)))
}

/** The block as it is in the end. */
export function blockFinish(graph: Graph, told: Told, data: JsonObject): readonly StreamEvent[] {
  const { index, content } = data
  if (!isJsonObject(content)) return unmapped(data)
  const events = piecesAt(content, index).flatMap((piece) => {
    if (piece.kind === 'call') return finishCall(graph, told, piece)
    if (piece.kind !== 'text' && piece.kind !== 'reasoning') return tellOther(graph.calls, told, piece)
    const said = sayFinally(told, piece)
    return told.byKey.get(piece.key) === told.current ? [...said, ...closeBlock(told)] : said
  })
  return understood(events)
}

function finishCall(graph: Graph, told: Told, piece: CallPiece): StreamEvent[] {
  const said = callSoFar(graph.calls, told, piece)
  const call = told.calls.find(({ callId, index }) => callId === piece.id || index === piece.index)
  return call === undefined ? said : [...said, ...inputEvents(call)]
}

/** What is known at a message's end, or on the way there: usage is counted from the beginning each time. */
export function finishMessage(_graph: Graph, told: Told, data: JsonObject): StreamEvent[] {
  const metadata = objectOf(data.metadata ?? data.responseMetadata ?? data.response_metadata)
  told.reason = wordOf(data.reason) ?? told.reason
  return [...metadataEvents(told, metadata), ...raiseUsage(told, isJsonObject(data.usage) ? data.usage : undefined)]
}

function piecesAt(content: JsonObject, index: Json | undefined): readonly Piece[] {
  return piecesOfBlock({ ...content, index: index ?? null })
}

/** Blocks and inputs are given from their beginning. */
function sayPiece(graph: Graph, told: Told, piece: Piece): StreamEvent[] {
  if (piece.kind === 'call') return callSoFar(graph.calls, told, piece)
  return piece.kind === 'text' || piece.kind === 'reasoning' ? sayUpTo(told, piece) : []
}
