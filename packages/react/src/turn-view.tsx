import type { ChatEvent } from '@millrace/core/fold'
import { Fragment, memo, type ReactNode, useMemo } from 'react'
import { Boundary } from './boundary.tsx'
import { DisclosureCard } from './disclosure-card.tsx'
import { Icon } from './icon.tsx'
import { PlainBlock } from './output/output.tsx'
import { textOfPiece } from './pieces.ts'
import { Pieces, PieceView } from './pieces-view.tsx'
import { FatalError, Interrupted } from './segments/error.tsx'
import { UserMessage } from './segments/user-message.tsx'
import { runsOf, seqsOfPiece, type Turn, type TurnPiece } from './thread-turns.ts'
import { useDisclosure } from './use-disclosure.ts'
import { useViewContext, ViewContextProvider } from './view-context.ts'

export interface TurnContent {
  /** Buttons for a message of the user: copy, edit. */
  readonly renderActions?: ((event: ChatEvent) => ReactNode) | undefined
  /** What follows the last message of a run. */
  readonly renderAfterRun?: ((runId: string) => ReactNode) | undefined
}

interface TurnPiecesProps extends TurnContent {
  readonly turn: Turn
  /** A newer turn is below it. */
  readonly hasNewer: boolean
  /** Runs that have ended: nothing that is still open in them looks live. */
  readonly endedRuns: ReadonlySet<string>
}

/** The pieces of a turn in their order, by run. */
export function TurnPieces({ turn, hasNewer, endedRuns, renderActions, renderAfterRun }: TurnPiecesProps): ReactNode {
  const { pieces, runGoesOn } = turn
  const runs = runsOf(turn)
  const last = pieces.at(-1)
  return runs.map((runId) => (
    <Fragment key={runId}>
      {pieces
        .filter((piece) => piece.runId === runId)
        .map((piece) => (
          <PieceInTurn
            key={piece.id}
            piece={piece}
            hasNewer={hasNewer || piece !== last}
            isOver={endedRuns.has(runId)}
            renderActions={renderActions}
          />
        ))}
      {!(runGoesOn && runId === runs.at(-1)) && renderAfterRun?.(runId)}
    </Fragment>
  ))
}

interface PieceInTurnProps extends Pick<TurnContent, 'renderActions'> {
  readonly piece: TurnPiece
  readonly hasNewer: boolean
  readonly isOver: boolean
}

/** One piece, named by its run and its entries. A piece that cannot be drawn is shown as text, and no other is lost. */
export const PieceInTurn = memo(function PieceInTurn({ piece, hasNewer, isOver, renderActions }: PieceInTurnProps) {
  const { runId } = piece
  const outer = useViewContext()
  const context = useMemo(() => ({ ...outer, scope: runId, isOver }), [outer, runId, isOver])
  return (
    <ViewContextProvider value={context}>
      <div className="mr-piece" data-run={runId} data-seqs={seqsOfPiece(piece).join('-')}>
        <Boundary of={piece} fallback={<PlainBlock text={plainText(piece)} />}>
          {'event' in piece ? (
            <MessageView piece={piece} renderActions={renderActions} />
          ) : (
            <PieceView piece={piece} hasNewer={hasNewer} />
          )}
        </Boundary>
      </div>
    </ViewContextProvider>
  )
})

function plainText(piece: TurnPiece): string {
  return 'event' in piece ? JSON.stringify(piece.event, null, 2) : textOfPiece(piece)
}

type MessagePieceOfTurn = Extract<TurnPiece, { readonly event: ChatEvent }>

interface MessageViewProps extends Pick<TurnContent, 'renderActions'> {
  readonly piece: MessagePieceOfTurn
}

function MessageView({ piece, renderActions }: MessageViewProps): ReactNode {
  const { event } = piece
  if (piece.kind === 'message') return <UserMessage event={event} actions={renderActions?.(event)} />
  if (piece.kind === 'withdrawn') return <Withdrawn event={event} />
  return piece.kind === 'fatal' ? <FatalError event={event} segment={piece.error} /> : <Interrupted event={event} />
}

/** A retracted message is one line; its content can still be read. */
function Withdrawn({ event }: { readonly event: ChatEvent }) {
  const { labels } = useViewContext()
  const disclosure = useDisclosure(`withdrawn-${event.seqs[0]}`, false)
  return (
    <DisclosureCard
      className="mr-notice mr-withdrawn"
      disclosure={disclosure}
      icon={<Icon name="retry" className="mr-glyph" />}
      label={<span className="mr-quiet">{labels.messageWithdrawn}</span>}
    >
      <div className="mr-nest">
        <Pieces segments={event.segments} hasNewer />
      </div>
    </DisclosureCard>
  )
}
