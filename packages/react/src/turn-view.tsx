import type { ChatEvent } from '@millrace/core/fold'
import { Fragment, memo, type ReactNode, useCallback, useContext, useMemo } from 'react'
import { Boundary } from './boundary.tsx'
import { DisclosureCard } from './disclosure-card.tsx'
import { Icon } from './icon.tsx'
import { PlainBlock } from './output/output.tsx'
import { textOfPiece } from './pieces.ts'
import { Pieces, PieceView } from './pieces-view.tsx'
import { FatalError, Interrupted } from './segments/error.tsx'
import { UserMessage } from './segments/user-message.tsx'
import { NewFrom } from './thread/new-from.ts'
import { runsOf, seqsOfPiece, type Turn, type TurnPiece } from './thread-turns.ts'
import { useDisclosure } from './use-disclosure.ts'
import { useViewContext, ViewContextProvider } from './view-context.ts'
import { rowsOfTurn } from './window/rows.ts'
import type { ArticlePart } from './window/window-articles.ts'
import { WindowContext } from './window/window-context.ts'

export interface TurnContent {
  /** Buttons for a message of the user: copy, edit. */
  readonly renderActions?: ((event: ChatEvent) => ReactNode) | undefined
  /** What follows the last message of a run. */
  readonly renderAfterRun?: ((runId: string) => ReactNode) | undefined
}

interface TurnPiecesProps extends TurnContent {
  readonly turn: Turn
  /** What is drawn of the turn. Default: all of it. */
  readonly parts?: readonly ArticlePart[] | undefined
  /** A newer turn is below it. */
  readonly hasNewer: boolean
  /** Runs that have ended: nothing that is still open in them looks live. */
  readonly endedRuns: ReadonlySet<string>
}

/** The pieces of a turn in their order, and what follows each run. */
export function TurnPieces({ turn, parts, hasNewer, endedRuns, renderActions, renderAfterRun }: TurnPiecesProps) {
  const ends = useMemo(() => runEndsOf(turn), [turn])
  const whole = useMemo(() => rowsOfTurn(turn).map((row) => ({ row })), [turn])
  const last = turn.pieces.at(-1)
  return (parts ?? whole).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a space has no identity but its position
    if ('space' in part) return <Space key={`space ${index}`} height={part.space} />
    const { id, piece } = part.row
    return (
      <Fragment key={id}>
        {piece !== undefined && (
          <PieceInTurn
            piece={piece}
            hasNewer={hasNewer || piece !== last}
            isOver={endedRuns.has(piece.runId)}
            renderActions={renderActions}
          />
        )}
        {ends.get(piece)?.map((runId) => (
          <Fragment key={runId}>{renderAfterRun?.(runId)}</Fragment>
        ))}
      </Fragment>
    )
  })
}

/** The height of what is not drawn. */
export function Space({ height }: { readonly height: number }) {
  return <div className="mr-space" aria-hidden="true" style={{ height: Math.max(0, height) }} />
}

/** The runs that end after each piece. A run without pieces ends after the piece before it. */
function runEndsOf(turn: Turn): ReadonlyMap<TurnPiece | undefined, readonly string[]> {
  const { pieces, runGoesOn } = turn
  const runs = runsOf(turn)
  const ends = new Map<TurnPiece | undefined, string[]>()
  let last = pieces[0]
  for (const runId of runGoesOn ? runs.slice(0, -1) : runs) {
    last = pieces.findLast((piece) => piece.runId === runId) ?? last
    ends.set(last, [...(ends.get(last) ?? []), runId])
  }
  return ends
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
  const threadWindow = useContext(WindowContext)
  const { id } = piece
  const newFrom = useContext(NewFrom)
  const [first, last] = seqsOfPiece(piece)
  const isFirstNew = newFrom?.runId === runId && first <= newFrom.seq && newFrom.seq <= last
  const ref = useCallback(
    (element: HTMLElement | null) => threadWindow?.setElement(id, element ?? undefined),
    [threadWindow, id],
  )
  return (
    <ViewContextProvider value={context}>
      <div ref={ref} className="mr-piece" data-run={runId} data-seqs={`${first}-${last}`}>
        {isFirstNew && <p className="mr-new">{outer.labels.newSince}</p>}
        <Boundary of={piece} fallback={<PlainPiece piece={piece} />}>
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

/** A component, so that the text is only made if it is drawn. */
function PlainPiece({ piece }: { readonly piece: TurnPiece }) {
  return <PlainBlock text={'event' in piece ? JSON.stringify(piece.event, null, 2) : textOfPiece(piece)} />
}

type MessagePieceOfTurn = Extract<TurnPiece, { readonly event: ChatEvent }>

interface MessageViewProps extends Pick<TurnContent, 'renderActions'> {
  readonly piece: MessagePieceOfTurn
}

function MessageView({ piece, renderActions }: MessageViewProps): ReactNode {
  const { event } = piece
  if (piece.kind === 'message') return <UserMessage event={event} actions={renderActions?.(event)} />
  if (piece.kind === 'withdrawn') return <Withdrawn event={event} />
  if (piece.kind === 'unreadable') return <PlainPiece piece={piece} />
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
