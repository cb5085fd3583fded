import type { Entry } from '@millrace/core/events'
import type { ChatEvent, Segment } from '@millrace/core/fold'
import { argumentOf, bareNameOf } from '@millrace/react'
import type { Position, Selection } from '../../position/position-store.ts'
import { selectedSegment } from '../../position/selected-segment.ts'

/** What the lens looks at: a piece, or an entry that no piece shows. */
export interface LensSubject {
  readonly runId: string
  /** Absent: nothing is drawn of the entry. */
  readonly piece?: Segment
  /** Whose message the piece is in. */
  readonly chat?: ChatEvent
  /** The entry that is asked for, with its record. */
  readonly entry?: number
}

type Standing = Pick<Position, 'selection' | 'isFollowing'>

/** The newest piece while the panes follow or nothing is selected, else the selected one. */
export function lensSubject(
  chatEvents: readonly ChatEvent[],
  { selection, isFollowing }: Standing,
): LensSubject | undefined {
  if (selection === undefined || isFollowing) return newestOf(chatEvents)
  const { runId, entry } = selection
  if (isLone(chatEvents, selection)) return { runId, entry: entry as number }
  const piece = selectedSegment(chatEvents, selection) ?? firstOfMessage(chatEvents, selection)
  if (piece === undefined) return { runId, entry: entry ?? selection.seqs[0] }
  const chat = chatEvents.find((each) => each.runId === runId && piecesIn(each.segments).includes(piece))
  return { runId, piece, ...(chat !== undefined && { chat }), ...(entry !== undefined && { entry }) }
}

/** A message as a whole begins before its first piece. */
function firstOfMessage(chatEvents: readonly ChatEvent[], { runId, seqs: [first] }: Selection): Segment | undefined {
  const message = chatEvents.find(
    (each) => each.runId === runId && each.seqs[0] <= first && first <= each.seqs[1] && each.segments.length > 0,
  )
  return message?.segments[0]
}

/** An entry that is asked for by itself, and that begins no piece: what was not understood is drawn nowhere. */
function isLone(chatEvents: readonly ChatEvent[], { runId, seqs: [first], entry }: Selection): boolean {
  if (entry === undefined || first !== entry) return false
  return !piecesOfRun(chatEvents, runId).some(({ seqs }) => seqs[0] === entry)
}

function newestOf(chatEvents: readonly ChatEvent[]): LensSubject | undefined {
  const chat = chatEvents.findLast(({ segments }) => segments.length > 0)
  const piece = chat?.segments.at(-1)
  return chat === undefined || piece === undefined ? undefined : { runId: chat.runId, piece, chat }
}

/** Segments, and after each subagent what it holds. */
export const piecesIn = (segments: readonly Segment[]): readonly Segment[] =>
  segments.flatMap((segment) => (segment.type === 'subagent' ? [segment, ...piecesIn(segment.segments)] : [segment]))

const piecesOfRun = (chatEvents: readonly ChatEvent[], runId: string) =>
  chatEvents.filter((each) => each.runId === runId).flatMap(({ segments }) => piecesIn(segments))

/** The entry that was not understood before or after another one of its run. */
export function rawBeside(entries: readonly Entry[], entry: number, step: 1 | -1): number | undefined {
  for (let at = entry - 1 + step; at >= 0 && at < entries.length; at += step)
    if (entries[at]?.event.type === 'raw') return at + 1
  return undefined
}

/** The piece before or after another one, over all runs. */
export function pieceBeside(
  chatEvents: readonly ChatEvent[],
  { runId, piece }: LensSubject,
  step: 1 | -1,
): { readonly runId: string; readonly piece: Segment } | undefined {
  const all = chatEvents.flatMap((each) =>
    piecesIn(each.segments).map((segment) => ({ runId: each.runId, piece: segment })),
  )
  return all[all.findIndex((each) => each.runId === runId && each.piece === piece) + step]
}

const words: { readonly [Type in Segment['type']]: string } = {
  text: 'Text',
  reasoning: 'Thought',
  tool: 'Call',
  todos: 'Plan',
  status: 'Status',
  subagent: 'Subagent',
  approval: 'Question',
  source: 'Source',
  file: 'File',
  data: 'Data',
  error: 'Error',
}

/** What a piece is called, and what tells it from others of its kind. */
export function titleOfPiece(piece: Segment): { readonly name: string; readonly argument?: string } {
  if (piece.type === 'tool') {
    const argument = argumentOf(piece)
    return { name: bareNameOf(piece.name), ...(argument !== '' && { argument }) }
  }
  return piece.type === 'subagent' ? { name: words.subagent, argument: piece.name } : { name: words[piece.type] }
}

/** Which question of a person the message answers, counted from 1. */
export function turnOf(chatEvents: readonly ChatEvent[], chat: ChatEvent): number {
  const until = chatEvents.indexOf(chat) + 1
  return Math.max(1, chatEvents.slice(0, until).filter(({ role }) => role === 'user').length)
}

/** The id that a piece has in its stream, if it has one. */
export function idOfPiece(piece: Segment): string | undefined {
  if (piece.type === 'tool') return piece.callId
  if (piece.type === 'subagent') return piece.agentId
  return 'id' in piece ? piece.id : undefined
}
