import {
  type Block,
  blocksOf,
  type FileSegment,
  groupedBlocksOf,
  type ProcessingBlock,
  type Segment,
  type SourceSegment,
  type TextSegment,
  type ThinkingBlock,
  type ToolSegment,
} from '@millrace/core/fold'

/** What is drawn as one unit. */
export type Piece =
  | { readonly kind: 'processing'; readonly key: number; readonly block: ProcessingBlock }
  | { readonly kind: 'thinking'; readonly key: number; readonly block: ThinkingBlock }
  | { readonly kind: 'tools'; readonly key: number; readonly tools: readonly ToolSegment[] }
  /** Calls of one tool that ask at the same time. */
  | { readonly kind: 'asks'; readonly key: number; readonly tools: readonly ToolSegment[] }
  /** Texts of one message between which only citations stand. */
  | { readonly kind: 'flow'; readonly key: number; readonly texts: readonly TextSegment[] }
  | { readonly kind: 'chips'; readonly key: number; readonly chips: readonly (SourceSegment | FileSegment)[] }
  | { readonly kind: 'segment'; readonly key: number; readonly segment: Segment }

/** The first and the last entry of its segments. A link to an entry searches them. */
export function seqsOf(piece: Piece): Segment['seqs'] {
  return membersOf(piece)
    .map(({ seqs }) => seqs)
    .reduce(([first, last], [from, to]) => [Math.min(first, from), Math.max(last, to)])
}

/** The segments of a piece. */
export function membersOf(piece: Piece): readonly Segment[] {
  if (piece.kind === 'tools' || piece.kind === 'asks') return piece.tools
  if (piece.kind === 'flow') return piece.texts
  if (piece.kind === 'chips') return piece.chips
  return piece.kind === 'segment' ? [piece.segment] : piece.block.segments
}

/** The text of a piece, or its JSON if it is not only text. */
export function textOfPiece(piece: Piece): string {
  const parts = membersOf(piece).map((segment) => ('text' in segment ? segment.text : JSON.stringify(segment, null, 2)))
  return parts.join('\n\n')
}

/** `arrival`: in order of arrival. `grouped`: all processing first, then all thinking, then all others. */
export type Layout = 'arrival' | 'grouped'

/** Whether a segment is drawn by a component of the host. */
export type IsOwn = (segment: Segment) => boolean

export interface PieceOptions {
  readonly layout?: Layout
  readonly isOwn?: IsOwn
  readonly hidesThoughts?: boolean
}

const GROUPED_FROM = 3

const NOT_OWN: IsOwn = () => false

/** The pieces of a list of segments, with neighbours joined. */
export function piecesOf(segments: readonly Segment[], options: PieceOptions = {}): readonly Piece[] {
  return joinNeighbours(separatePieces(segments, options), options.isOwn)
}

/** A plan is a separate card, so it splits the statuses around it. A segment with its own component is never joined. */
export function separatePieces(segments: readonly Segment[], options: PieceOptions): readonly Piece[] {
  const { layout = 'arrival', isOwn = NOT_OWN, hidesThoughts = false } = options
  const blocks = layout === 'grouped' ? groupedBlocksOf(segments) : blocksOf(segments)
  const isApart: IsOwn = (segment) => segment.type === 'todos' || isOwn(segment)
  const pieces = blocks.flatMap((block) => (block.kind === 'segment' ? [pieceOf(block)] : splitBlock(block, isApart)))
  return joinTexts(hidesThoughts ? pieces.filter((piece) => !isThought(piece)) : pieces, isOwn)
}

/** A provider that cites ends a text before and after each citation, in the middle of a sentence. */
function joinTexts(pieces: readonly Piece[], isOwn: IsOwn): readonly Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const before = joined.at(-1)
    const [one, other] = [textsOf(before, isOwn), textsOf(piece, isOwn)]
    const [last, first] = [one.at(-1), other[0]]
    if (before === undefined || last === undefined || first === undefined || !goesOn(last, first)) joined.push(piece)
    else joined.splice(-1, 1, { kind: 'flow', key: before.key, texts: [...one, ...other] })
  }
  return joined
}

function textsOf(piece: Piece | undefined, isOwn: IsOwn): readonly TextSegment[] {
  if (piece?.kind === 'flow') return piece.texts
  const isText = piece?.kind === 'segment' && piece.segment.type === 'text' && !isOwn(piece.segment)
  return isText ? [piece.segment as TextSegment] : []
}

const goesOn = (one: TextSegment, other: TextSegment) =>
  one.variant === other.variant && [one, other].some(({ citations = [] }) => citations.length > 0)

/** Thoughts with a component of the host are pieces of their own. */
function isThought(piece: Piece): boolean {
  return piece.kind === 'thinking' || (piece.kind === 'segment' && piece.segment.type === 'reasoning')
}

function pieceOf(block: Block): Piece {
  const { key } = block
  if (block.kind === 'processing') return { kind: 'processing', key, block }
  if (block.kind === 'thinking') return { kind: 'thinking', key, block }
  return { kind: 'segment', key, segment: block.segment }
}

function splitBlock(block: ProcessingBlock | ThinkingBlock, isApart: IsOwn): readonly Piece[] {
  const members: readonly Segment[] = block.segments
  if (!members.some(isApart)) return [pieceOf(block)]
  const pieces: Piece[] = []
  let start = 0
  for (const [index, segment] of members.entries()) {
    if (!isApart(segment)) continue
    pieces.push(...blocksOf(members.slice(start, index)).map(pieceOf))
    pieces.push({ kind: 'segment', key: segment.seqs[0], segment })
    start = index + 1
  }
  return [...pieces, ...blocksOf(members.slice(start)).map(pieceOf)]
}

/** Joins adjacent pieces of one run: three or more finished tools, calls that ask alike, and chips. Order is kept. */
export function joinNeighbours(pieces: readonly Piece[], isOwn: IsOwn = NOT_OWN): readonly Piece[] {
  const joined: Piece[] = []
  for (let start = 0; start < pieces.length; ) {
    const first = pieces[start] as Piece
    const tools = neighbours(pieces, start, isFinishedTool, isOwn)
    const chips = neighbours(pieces, start, isChip, isOwn)
    const asks = asksAlike(pieces, start, isOwn)
    if (tools.length >= GROUPED_FROM) joined.push({ kind: 'tools', key: first.key, tools })
    else if (asks.length > 1) joined.push({ kind: 'asks', key: first.key, tools: asks })
    else if (chips.length > 0) joined.push({ kind: 'chips', key: first.key, chips })
    else joined.push(...(tools.length > 0 ? pieces.slice(start, start + tools.length) : [first]))
    start += Math.max(1, tools.length, chips.length, asks.length > 1 ? asks.length : 0)
  }
  return joined
}

/** Calls of the same tool, without answers of their own to choose from. */
function asksAlike(pieces: readonly Piece[], start: number, isOwn: IsOwn): readonly ToolSegment[] {
  const asks = neighbours(pieces, start, isPlainAsk, isOwn)
  const end = asks.findIndex(({ name }) => name !== asks[0]?.name)
  return end === -1 ? asks : asks.slice(0, end)
}

function neighbours<Member extends Segment>(
  pieces: readonly Piece[],
  start: number,
  belongs: (segment: Segment) => segment is Member,
  isOwn: IsOwn,
): readonly Member[] {
  const found: Member[] = []
  for (let index = start; index < pieces.length; index++) {
    const piece = pieces[index]
    if (piece?.kind !== 'segment' || !belongs(piece.segment) || isOwn(piece.segment)) break
    found.push(piece.segment)
  }
  return found
}

const isFinishedTool = (segment: Segment): segment is ToolSegment => segment.type === 'tool' && segment.state === 'done'

const isPlainAsk = (segment: Segment): segment is ToolSegment =>
  segment.type === 'tool' && segment.state === 'approval' && segment.approval !== undefined

const isChip = (segment: Segment): segment is SourceSegment | FileSegment =>
  segment.type === 'source' || segment.type === 'file'
