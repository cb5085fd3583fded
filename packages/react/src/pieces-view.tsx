import type { Segment } from '@millrace/core/fold'
import { type ReactNode, useMemo } from 'react'
import { Boundary } from './boundary.tsx'
import { type Components, componentFor } from './components.ts'
import { PlainBlock } from './output/output.tsx'
import { type Layout, type Piece, type PieceOptions, piecesOf, seqsOf, textOfPiece } from './pieces.ts'
import { SegmentView } from './segment-view.tsx'
import { ApprovalGroup } from './segments/approval-group.tsx'
import { Chips } from './segments/chips.tsx'
import { Processing } from './segments/processing.tsx'
import { Prose } from './segments/text.tsx'
import { Thinking } from './segments/thinking.tsx'
import { ToolGroup } from './segments/tool-group.tsx'
import { useViewContext } from './view-context.ts'

interface PiecesProps {
  readonly segments: readonly Segment[]
  /** Something newer is below all of them. */
  readonly hasNewer?: boolean
}

/** The pieces of segments inside another piece: of a subagent, or of a message as a whole. */
export function Pieces({ segments, hasNewer = false }: PiecesProps): ReactNode {
  const options = usePieceOptions({})
  const pieces = useMemo(() => piecesOf(segments, options), [segments, options])
  return pieces.map((piece, index) => (
    <div key={`${piece.kind}-${piece.key}`} className="mr-piece" data-seqs={seqsOf(piece).join('-')}>
      <Boundary of={piece} fallback={<PlainPiece piece={piece} />}>
        <PieceView piece={piece} hasNewer={hasNewer || index < pieces.length - 1} />
      </Boundary>
    </div>
  ))
}

/** A component, so that the text is only made if it is drawn. */
function PlainPiece({ piece }: { readonly piece: Piece }) {
  return <PlainBlock text={textOfPiece(piece)} />
}

export function PieceView({ piece, hasNewer }: { readonly piece: Piece; readonly hasNewer: boolean }): ReactNode {
  if (piece.kind === 'processing') return <Processing block={piece.block} hasNewer={hasNewer} />
  if (piece.kind === 'thinking') return <Thinking block={piece.block} hasNewer={hasNewer} />
  if (piece.kind === 'tools') return <ToolGroup tools={piece.tools} at={piece.key} />
  if (piece.kind === 'asks') return <ApprovalGroup tools={piece.tools} />
  if (piece.kind === 'flow') return <Prose texts={piece.texts} />
  if (piece.kind === 'chips') return <Chips chips={piece.chips} />
  return <SegmentView segment={piece.segment} hasNewer={hasNewer} />
}

interface Wanted {
  readonly layout?: Layout
  readonly hidesThoughts?: boolean
}

/** How pieces are formed: by the layout, and by the host's components, whose segments are drawn alone. */
export function usePieceOptions({ layout = 'arrival', hidesThoughts = false }: Wanted): PieceOptions {
  const { components } = useViewContext()
  return useMemo(() => ({ layout, hidesThoughts, isOwn: ownBy(components) }), [layout, hidesThoughts, components])
}

const ownBy = (components: Components) => (segment: Segment) => componentFor(segment, components) !== undefined
