import type { StreamEvent } from '../../events.ts'
import type { Calls } from './calls.ts'
import type { LangMessage } from './message.ts'
import type { CallPiece, Piece, Prose } from './pieces.ts'
import { catchUp, sayMore } from './prose.ts'
import { foundSources } from './sources.ts'
import { placeOf, type Told } from './told.ts'
import { callMore, callSoFar, pieceOf, wholeCalls } from './tool-calls.ts'

const isProse = (piece: Piece): piece is Prose => piece.kind === 'text' || piece.kind === 'reasoning'
const isCall = (piece: Piece): piece is CallPiece => piece.kind === 'call'

/** A chunk: everything in it goes on from what was told. */
export function tellMore(calls: Calls, told: Told, message: LangMessage, pieces: readonly Piece[]): StreamEvent[] {
  const { toolCallChunks, toolCalls } = message
  // What a chunk lists as its calls is its fragments read as far as they go: the fragments themselves are better.
  const listed = toolCallChunks.length > 0 ? toolCallChunks : toolCalls
  const areGiven = listed.some(({ args }) => args !== undefined && args !== null)
  const events = inOrder(calls, told, pieces, areGiven)
  return listed.length === 0 ? events : [...events, ...listed.flatMap((raw) => callMore(calls, told, pieceOf(raw)))]
}

/** A message from its beginning to where it stands now. */
export function tellSoFar(calls: Calls, told: Told, message: LangMessage, pieces: readonly Piece[]): StreamEvent[] {
  const { toolCallChunks, toolCalls } = message
  const listed = (toolCallChunks.length > 0 ? toolCallChunks : toolCalls).map(pieceOf)
  const own = pieces.filter(isCall).filter((piece) => piece.runBy === 'provider' || listed.length === 0)
  return [
    ...catchUp(told, pieces.filter(isProse), false),
    ...[...own, ...listed].flatMap((piece) => callSoFar(calls, told, piece)),
  ]
}

/** A whole message, of which nothing, something or all may have been told. */
export function tellWhole(calls: Calls, told: Told, message: LangMessage, pieces: readonly Piece[]): StreamEvent[] {
  const areListed = message.toolCalls.length > 0 || message.invalidToolCalls.length > 0
  const isNew = told.blocks.length === 0 && told.calls.length === 0
  const apart = pieces.map((piece, place) => (isProse(piece) ? { ...piece, key: `${piece.key}#${place}` } : piece))
  const events = isNew ? inOrder(calls, told, apart, areListed) : catchUp(told, pieces.filter(isProse), true)
  const unlisted = isNew || areListed ? [] : pieces.filter(isCall)
  return [...events, ...wholeCalls(calls, told, message, unlisted)]
}

/** Calls stand in the content too, in the provider's words: where they are listed, only the provider's own are read. */
function inOrder(calls: Calls, told: Told, pieces: readonly Piece[], areListed: boolean): StreamEvent[] {
  return pieces.flatMap((piece) => {
    if (isProse(piece)) return sayMore(told, piece)
    if (!isCall(piece)) return tellOther(calls, told, piece)
    return areListed && !isOfProvider(told, piece) ? [] : callMore(calls, told, piece)
  })
}

function isOfProvider(told: Told, { runBy, name, index }: CallPiece): boolean {
  if (runBy === 'provider') return true
  return name === undefined && told.calls.some((call) => call.runBy === 'provider' && call.index === index)
}

/** What is neither prose nor a call: it comes whole. */
export function tellOther(calls: Calls, told: Told, piece: Piece): StreamEvent[] {
  if (piece.kind === 'other') return [{ type: 'raw', value: piece.value, reason: 'unmapped' }]
  if (piece.kind === 'file') {
    const fileId = `${told.messageId}:file-${told.files++}`
    return [{ type: 'file', fileId, ...piece.file, ...placeOf(told) }]
  }
  if (piece.kind !== 'result') return []
  const { id, output, isError } = piece
  const answered = calls.answer(told.scope, id, { status: isError ? 'error' : 'ok', output })
  return answered.length === 0 ? [] : [...answered, ...foundSources(told, id, output)]
}
