import type { ChatEvent, ErrorSegment, Segment } from '@millrace/core/fold'
import { joinNeighbours, membersOf, type Piece, type PieceOptions, separatePieces, seqsOf } from './pieces.ts'

/** A whole message as one piece, or the line that says how a message has ended. */
type MessagePiece =
  | { readonly kind: 'message'; readonly event: ChatEvent }
  | { readonly kind: 'withdrawn'; readonly event: ChatEvent }
  /** A message whose pieces could not be formed, because it is not what its type says. */
  | { readonly kind: 'unreadable'; readonly event: ChatEvent }
  | { readonly kind: 'fatal'; readonly event: ChatEvent; readonly error: ErrorSegment }
  | { readonly kind: 'cut'; readonly event: ChatEvent }

interface Placement {
  /** Unique in a thread, and the same while the piece grows. */
  readonly id: string
  readonly runId: string
}

/** What a thread draws as one unit. */
export type TurnPiece = Placement & (Piece | MessagePiece)

/** A message of the user and everything until the next one. What precedes the first one is a turn, too. */
export interface Turn {
  /** The id of its first chat event. */
  readonly id: string
  readonly events: readonly ChatEvent[]
  /** In the order of arrival, across the messages of the turn. */
  readonly pieces: readonly TurnPiece[]
  /** The first run of the turn began in the turn before: the message of this turn reached it while it was running. */
  readonly continuesRun: boolean
  /** The last run of the turn goes on in the next one. */
  readonly runGoesOn: boolean
}

/** The runs of a turn, in order. */
export function runsOf({ events }: Turn): readonly string[] {
  return [...new Set(events.map(({ runId }) => runId))]
}

/** The turns of these events. A turn, or a piece, that has not changed since the last call is the same object. */
export type TurnsOf = (events: readonly ChatEvent[]) => readonly Turn[]

export function createTurns(options: PieceOptions = {}): TurnsOf {
  const turnOf = createTurnOf(options)
  let current: readonly Turn[] = []
  return (events) => {
    const before = new Map(current.map((turn) => [turn.id, turn]))
    const groups = groupsOf(events)
    const next = groups.map((group, index) => {
      const sharing = {
        continuesRun: groups[index - 1]?.at(-1)?.runId === group[0]?.runId,
        runGoesOn: groups[index + 1]?.[0]?.runId === group.at(-1)?.runId,
      }
      return turnOf(group, sharing, before.get(idOf(group)))
    })
    if (!areSame(current, next)) current = next
    return current
  }
}

type Sharing = Pick<Turn, 'continuesRun' | 'runGoesOn'>

/** One turn; `before` is the same turn as it was. */
export type TurnOf = (events: readonly ChatEvent[], sharing: Sharing, before: Turn | undefined) => Turn

export function createTurnOf(options: PieceOptions): TurnOf {
  const answerPieces = createAnswerPieces(options)
  return (events, { continuesRun, runGoesOn }, before) => {
    const isShared = before?.continuesRun === continuesRun && before.runGoesOn === runGoesOn
    if (isShared && areSame(before.events, events)) return before
    const pieces = kept(before?.pieces ?? [], piecesOfTurn(events, runGoesOn, answerPieces, options))
    return { id: idOf(events), events, pieces, continuesRun, runGoesOn }
  }
}

const idOf = (group: readonly ChatEvent[]) => group[0]?.id ?? ''

/** Each message of the user begins a group. */
function groupsOf(events: readonly ChatEvent[]): readonly (readonly ChatEvent[])[] {
  const groups: ChatEvent[][] = []
  for (const event of events) {
    const open = groups.at(-1)
    if (open === undefined || event.role === 'user') groups.push([event])
    else open.push(event)
  }
  return groups
}

type AnswerPieces = (event: ChatEvent, fatal: ErrorSegment | undefined) => readonly Piece[]

/** The separate pieces of a message; those of a message that has not changed are not computed again. */
function createAnswerPieces(options: PieceOptions): AnswerPieces {
  const found = new WeakMap<readonly Segment[], { readonly fatal: unknown; readonly pieces: readonly Piece[] }>()
  return ({ segments }, fatal) => {
    const last = found.get(segments)
    if (last !== undefined && last.fatal === fatal) return last.pieces
    const shown = fatal === undefined ? segments : segments.filter((segment) => segment !== fatal)
    const pieces = separatePieces(shown, options)
    found.set(segments, { fatal, pieces })
    return pieces
  }
}

/** Neighbours are joined across messages, but not across runs, whose entries cannot be compared. */
function piecesOfTurn(
  events: readonly ChatEvent[],
  runGoesOn: boolean,
  answerPieces: AnswerPieces,
  { isOwn }: PieceOptions,
): readonly TurnPiece[] {
  const pieces: TurnPiece[] = []
  let waiting: Piece[] = []
  let runId = ''
  const flush = () => {
    pieces.push(...joinNeighbours(waiting, isOwn).map((piece) => placed(piece, runId)))
    waiting = []
  }
  for (const [index, event] of events.entries()) {
    const next = events[index + 1]
    const goesOn = next === undefined ? runGoesOn : next.runId === event.runId
    if (event.runId !== runId) flush()
    runId = event.runId
    let whole = wholeMessage(event)
    const end = whole === undefined ? endOf(event, goesOn) : undefined
    try {
      if (whole === undefined) waiting.push(...answerPieces(event, end?.kind === 'fatal' ? end.error : undefined))
    } catch {
      whole = { kind: 'unreadable', event }
    }
    for (const each of [whole, end]) {
      if (each === undefined) continue
      flush()
      pieces.push({ ...each, id: `${each.kind} ${event.id}`, runId })
    }
  }
  flush()
  return pieces
}

function placed(piece: Piece, runId: string): TurnPiece {
  return { ...piece, id: `${piece.kind} ${runId} ${piece.key}`, runId }
}

function wholeMessage(event: ChatEvent): MessagePiece | undefined {
  if (event.role === 'user') return { kind: 'message', event }
  return event.state === 'retracted' ? { kind: 'withdrawn', event } : undefined
}

/** How a message has ended, if it did not end by itself. */
function endOf(event: ChatEvent, runGoesOn: boolean): MessagePiece | undefined {
  const last = event.segments.at(-1)
  // The error that ended a run is last in its last message; an error with anything after it did not end the run.
  const isFatal = !runGoesOn && event.state !== 'live' && last?.type === 'error'
  if (isFatal) return { kind: 'fatal', event, error: last }
  return event.state === 'interrupted' ? { kind: 'cut', event } : undefined
}

/** The pieces with those of `before` that are equal: a view of an unchanged piece is not drawn again. */
function kept(before: readonly TurnPiece[], pieces: readonly TurnPiece[]): readonly TurnPiece[] {
  const old = new Map(before.map((piece) => [piece.id, piece]))
  return pieces.map((piece) => {
    const same = old.get(piece.id)
    return same !== undefined && areSame(partsOf(same), partsOf(piece)) ? same : piece
  })
}

/** The objects that a piece draws: two pieces with the same id and the same parts are equal. */
function partsOf(piece: TurnPiece): readonly unknown[] {
  return 'event' in piece ? [piece.event] : membersOf(piece)
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index])
}

/** The first and the last entry of a piece. */
export function seqsOfPiece(piece: TurnPiece): Segment['seqs'] {
  if (!('event' in piece)) return seqsOf(piece)
  const { event } = piece
  if (piece.kind === 'fatal') return piece.error.seqs
  return piece.kind === 'cut' ? [event.seqs[1], event.seqs[1]] : event.seqs
}
