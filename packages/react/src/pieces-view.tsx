import type { Segment } from '@millrace/core/fold'
import { type ReactNode, useMemo } from 'react'
import { Boundary } from './boundary.tsx'
import { componentFor } from './components.ts'
import { PlainBlock } from './output/output.tsx'
import { type Layout, membersOf, type Piece, piecesOf, seqsOf } from './pieces.ts'
import { SegmentView } from './segment-view.tsx'
import { Chips } from './segments/chips.tsx'
import { Processing } from './segments/processing.tsx'
import { Thinking } from './segments/thinking.tsx'
import { ToolGroup } from './segments/tool-group.tsx'
import { useViewContext } from './view-context.ts'

interface PiecesProps {
  readonly segments: readonly Segment[]
  /** Something newer is below all of them. */
  readonly hasNewer?: boolean
  readonly layout?: Layout
  readonly hidesThoughts?: boolean
}

export function Pieces({ segments, hasNewer = false, layout = 'arrival', hidesThoughts = false }: PiecesProps) {
  const { components } = useViewContext()
  const pieces = useMemo(() => {
    const all = piecesOf(segments, layout, (segment) => componentFor(segment, components) !== undefined)
    return hidesThoughts ? all.filter((piece) => !isThought(piece)) : all
  }, [segments, layout, hidesThoughts, components])
  return pieces.map((piece, index) => (
    <div key={`${piece.kind}-${piece.key}`} className="mr-piece" data-seqs={seqsOf(piece).join('-')}>
      <Boundary of={piece} fallback={<PlainPiece piece={piece} />}>
        <PieceView piece={piece} hasNewer={hasNewer || index < pieces.length - 1} />
      </Boundary>
    </div>
  ))
}

/** Thoughts with a component of the host are pieces of their own. */
function isThought(piece: Piece): boolean {
  return piece.kind === 'thinking' || (piece.kind === 'segment' && piece.segment.type === 'reasoning')
}

function PieceView({ piece, hasNewer }: { readonly piece: Piece; readonly hasNewer: boolean }): ReactNode {
  if (piece.kind === 'processing') return <Processing block={piece.block} hasNewer={hasNewer} />
  if (piece.kind === 'thinking') return <Thinking block={piece.block} hasNewer={hasNewer} />
  if (piece.kind === 'tools') return <ToolGroup tools={piece.tools} at={piece.key} />
  if (piece.kind === 'chips') return <Chips chips={piece.chips} />
  return <SegmentView segment={piece.segment} hasNewer={hasNewer} />
}

/** A piece whose view throws: its text, or its JSON if it is not only text. */
function PlainPiece({ piece }: { readonly piece: Piece }) {
  const parts = membersOf(piece).map((segment) => ('text' in segment ? segment.text : JSON.stringify(segment, null, 2)))
  return <PlainBlock text={parts.join('\n\n')} />
}
