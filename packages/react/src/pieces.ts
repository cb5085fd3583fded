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

/** `arrival`: in order of arrival. `grouped`: all processing first, then all thinking, then all others. */
export type Layout = 'arrival' | 'grouped'

const GROUPED_FROM = 3

/** Whether a segment is drawn by a component of the host. */
type IsOwn = (segment: Segment) => boolean

/** A plan is a separate card, so it splits the statuses around it. A segment with its own component is never joined. */
export function piecesOf(
  segments: readonly Segment[],
  layout: Layout = 'arrival',
  isOwn: IsOwn = () => false,
): readonly Piece[] {
  const blocks = layout === 'grouped' ? groupedBlocksOf(segments) : blocksOf(segments)
  const isApart: IsOwn = (segment) => segment.type === 'todos' || isOwn(segment)
  const pieces = blocks.flatMap((block) => (block.kind === 'segment' ? [pieceOf(block)] : splitBlock(block, isApart)))
  return joined(pieces, isOwn)
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

/** Joins adjacent pieces: three or more finished tools, and chips. Order is kept. */
function joined(pieces: readonly Piece[], isOwn: IsOwn): readonly Piece[] {
  const out: Piece[] = []
  for (let start = 0; start < pieces.length; ) {
    const first = pieces[start] as Piece
    const tools = runOf(pieces, start, isFinishedTool, isOwn)
    const chips = runOf(pieces, start, isChip, isOwn)
    if (tools.length >= GROUPED_FROM) out.push({ kind: 'tools', key: first.key, tools })
    else if (chips.length > 0) out.push({ kind: 'chips', key: first.key, chips })
    else out.push(...(tools.length > 0 ? pieces.slice(start, start + tools.length) : [first]))
    start += Math.max(1, tools.length, chips.length)
  }
  return out
}

function runOf<Member extends Segment>(
  pieces: readonly Piece[],
  start: number,
  belongs: (segment: Segment) => segment is Member,
  isOwn: IsOwn,
): readonly Member[] {
  const run: Member[] = []
  for (let index = start; index < pieces.length; index++) {
    const piece = pieces[index]
    if (piece?.kind !== 'segment' || !belongs(piece.segment) || isOwn(piece.segment)) break
    run.push(piece.segment)
  }
  return run
}

const isFinishedTool = (segment: Segment): segment is ToolSegment => segment.type === 'tool' && segment.state === 'done'

const isChip = (segment: Segment): segment is SourceSegment | FileSegment =>
  segment.type === 'source' || segment.type === 'file'
