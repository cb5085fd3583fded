import type { ThreadDetail } from '@millrace/core/api'
import { createThreadRuns } from '@millrace/core/client/thread-runs'
import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import type { Piece, PieceState } from '../../../clients/contract.ts'

/** What a client has to hold of a thread: what our own client shows of it. */
export function expectedPieces(thread: ThreadDetail): readonly Piece[] {
  const runs = createThreadRuns()
  runs.load(thread)
  return runs.chatEvents().flatMap(({ role, segments }) => segments.flatMap((segment) => pieceOf(role, segment)))
}

const states: { readonly [state in Extract<Segment, { type: 'tool' }>['state']]: PieceState } = {
  input: 'open',
  ready: 'open',
  running: 'open',
  approval: 'asked',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  cancelled: 'failed',
}

function pieceOf(role: ChatEvent['role'], segment: Segment): readonly Piece[] {
  if (segment.type === 'text') return [{ type: role === 'user' ? 'user' : 'text', text: segment.text }]
  if (segment.type === 'reasoning') return [{ type: 'reasoning', text: segment.text }]
  if (segment.type !== 'tool') return []
  const { name, input, output, error } = segment
  const state = states[segment.state]
  const result = {
    done: { output },
    failed: { output: error ?? output },
    open: {},
    asked: {},
    denied: { output: error ?? output },
  }[state]
  return [{ type: 'tool', name, state, ...(input !== undefined && { input }), ...result }]
}
