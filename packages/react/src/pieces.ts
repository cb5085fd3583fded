import {
  type Block,
  blocksOf,
  type FileSegment,
  groupedBlocksOf,
  type ProcessingBlock,
  type Segment,
  type SourceSegment,
  type ThinkingBlock,
  type ToolSegment,
} from '@millrace/core/fold'

/** What is drawn as one unit. */
export type Piece =
  | { readonly kind: 'processing'; readonly key: number; readonly block: ProcessingBlock }
  | { readonly kind: 'thinking'; readonly key: number; readonly block: ThinkingBlock }
  | { readonly kind: 'tools'; readonly key: number; readonly tools: readonly ToolSegment[] }
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
  if (piece.kind === 'tools') return piece.tools
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
  return hidesThoughts ? pieces.filter((piece) => !isThought(piece)) : pieces
}

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

/** Joins adjacent pieces of one run: three or more finished tools, and chips. Order is kept. */
export function joinNeighbours(pieces: readonly Piece[], isOwn: IsOwn = NOT_OWN): readonly Piece[] {
  const joined: Piece[] = []
  for (let start = 0; start < pieces.length; ) {
    const first = pieces[start] as Piece
    const tools = neighbours(pieces, start, isFinishedTool, isOwn)
    const chips = neighbours(pieces, start, isChip, isOwn)
    if (tools.length >= GROUPED_FROM) joined.push({ kind: 'tools', key: first.key, tools })
    else if (chips.length > 0) joined.push({ kind: 'chips', key: first.key, chips })
    else joined.push(...(tools.length > 0 ? pieces.slice(start, start + tools.length) : [first]))
    start += Math.max(1, tools.length, chips.length)
  }
  return joined
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

const isChip = (segment: Segment): segment is SourceSegment | FileSegment =>
  segment.type === 'source' || segment.type === 'file'
