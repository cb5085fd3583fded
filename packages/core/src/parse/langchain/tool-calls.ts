import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { unmapped } from '../parser.ts'
import { type Call, type Calls, MAX_BEGINNING, type NewCall } from './calls.ts'
import { type LangMessage, type RawCall, wordOf } from './message.ts'
import { type CallPiece, indexOf } from './pieces.ts'
import { closeBlock, inputEvents, type Told } from './told.ts'

/** A fragment of a call, by LangChain's rule: one index, one call; its id and name come first, and only once. */
export function callMore(calls: Calls, told: Told, piece: CallPiece): StreamEvent[] {
  const events: StreamEvent[] = []
  const call = callOf(told, piece) ?? begin(calls, told, piece, events)
  if (call === undefined) return unplaced(piece)
  if (typeof piece.args === 'string') events.push(...fragment(call, piece.args))
  else if (!isJsonObject(piece.args)) events.push(...unplaced(piece))
  else if (!isEmpty(piece.args)) call.given = piece.args
  return events
}

/** A call whose text so far is given from its beginning. */
export function callSoFar(calls: Calls, told: Told, piece: CallPiece): StreamEvent[] {
  const call = callOf(told, piece)
  if (call === undefined) return callMore(calls, told, piece)
  if (typeof piece.args !== 'string') {
    if (piece.args !== undefined) call.given = piece.args
    return []
  }
  return piece.args.length > call.length ? fragment(call, piece.args.slice(call.length)) : []
}

/** The calls of a whole message, each with its whole input. */
export function wholeCalls(
  calls: Calls,
  told: Told,
  message: LangMessage,
  pieces: readonly CallPiece[],
): StreamEvent[] {
  const { toolCalls, invalidToolCalls } = message
  const named = (raw: RawCall) => wordOf(raw.name) !== undefined || wordOf(raw.id) !== undefined
  const listed = [
    ...toolCalls.filter(named).map((raw) => ({ piece: pieceOf(raw), error: undefined })),
    ...invalidToolCalls
      .filter(named)
      .map((raw) => ({ piece: pieceOf(raw), error: wordOf(raw.error) ?? 'The input is not JSON.' })),
  ]
  const own = pieces.filter((piece) => piece.runBy === 'provider' || listed.length === 0)
  const rest = own.map((piece) => ({ piece, error: undefined }))
  return [...rest, ...listed].flatMap(({ piece, error }, place) => wholeCall(calls, told, piece, error, place))
}

function wholeCall(
  calls: Calls,
  told: Told,
  piece: CallPiece,
  error: string | undefined,
  place: number,
): StreamEvent[] {
  const known = piece.id === undefined ? told.calls[place] : told.calls.find((call) => isCalled(call, piece.id))
  if (known?.hasInput) return []
  const events: StreamEvent[] = []
  const call = known ?? begin(calls, told, piece, events)
  if (call === undefined) return unplaced(piece)
  if (call.length === 0) {
    call.given = piece.args ?? {}
    call.error = error
    if (typeof piece.args === 'string' && error === undefined) return [...events, ...textInput(call, piece.args)]
  }
  return [...events, ...inputEvents(call)]
}

/** An input that is given as its whole text. */
function textInput(call: Call, text: string): StreamEvent[] {
  return [...fragment(call, text), ...inputEvents(call)]
}

export function pieceOf(raw: RawCall): CallPiece {
  return {
    kind: 'call',
    runBy: 'agent',
    id: wordOf(raw.id),
    name: wordOf(raw.name),
    index: indexOf(raw.index ?? undefined),
    args: raw.args,
  }
}

/** The call that a fragment goes on with; nothing where it begins one. */
function callOf(told: Told, { id, name, index }: CallPiece): Call | undefined {
  if (id !== undefined) {
    const known = told.calls.find((call) => isCalled(call, id))
    if (known !== undefined || name !== undefined) return known
  }
  const atIndex = index === undefined ? undefined : told.calls.findLast((call) => call.index === index)
  if (name !== undefined) return atIndex?.name === name && id === undefined ? atIndex : undefined
  return atIndex ?? (index === undefined ? told.calls.at(-1) : undefined)
}

function isCalled({ callId, scope }: Call, id: string | undefined): boolean {
  return callId === id || callId === `${id}@${scope.key}`
}

function begin(calls: Calls, told: Told, piece: CallPiece, events: StreamEvent[]): Call | undefined {
  if (piece.name === undefined) return undefined
  const { id, name, index, runBy } = piece as CallPiece & NewCall
  const { call, event } = calls.start(told, { id, name, index, runBy })
  told.calls.push(call)
  events.push(...closeBlock(told), event)
  return call
}

/** Input of a call that nothing names, or of a kind that no call takes: it is kept. */
function unplaced({ kind: _kind, runBy: _runBy, ...piece }: CallPiece): StreamEvent[] {
  const { args } = piece
  return args === undefined || args === null || args === '' || isEmpty(args) ? [] : unmapped(present(piece))
}

function fragment(call: Call, text: string): StreamEvent[] {
  if (text === '' || call.hasInput) return []
  call.length += text.length
  if (call.beginning.length < MAX_BEGINNING) call.beginning += text.slice(0, MAX_BEGINNING)
  return [{ type: 'tool-input-delta', callId: call.callId, text }]
}

/** At its start, a call whose input will be streamed carries an empty one. */
function isEmpty(args: Json): boolean {
  return typeof args === 'object' && args !== null && Object.keys(args).length === 0
}
