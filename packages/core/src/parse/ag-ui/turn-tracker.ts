import { rememberOne } from '../../data/remember.ts'
import type { Role } from '../../event-fields.ts'
import type { Out } from '../kit/voice.ts'
import { scopeOf } from './fields.ts'
import type { Base } from './raw.ts'

/** A message of the run. The protocol has one per text and per thought; a turn joins a thought, its text and calls. */
export interface Turn {
  readonly messageId: string
  readonly role: Role
  /** The protocol's ids of its messages. */
  readonly ids: Set<string>
  last: 'reasoning' | 'text' | 'tool'
  openBlocks: number
}

export interface TurnTracker {
  /** The turn that content belongs to. The events that open it are added to `out`. */
  take(kind: Turn['last'], id: string, role: Role, raw: Base, out: Out): Turn
  /** The turn that a call belongs to. The call may name an earlier message or one that has not begun. */
  takeCall(parentId: string | undefined, callId: string, raw: Base, out: Out): Turn
  /** Called when a block of the turn ends. A turn that is complete, or no longer current, ends with its last block. */
  closeBlock(turn: Turn, out: Out): void
  /** Called when another run begins: what follows is not part of the current turn, unless it repeats one of its ids. */
  endRun(): void
}

/** The maximum number of remembered ids, of a turn and of the turns before it. */
const MAX_IDS = 64

export function createTurnTracker(): TurnTracker {
  const earlierIds = new Set<string>()
  let current: Turn | undefined

  /** Ends a turn that is no longer current, unless a block of it is open. */
  function endIfClosed(turn: Turn, out: Out): void {
    if (turn.openBlocks === 0) out.push({ type: 'message-end', messageId: turn.messageId })
  }

  function endCurrent(out: Out): void {
    const turn = current
    current = undefined
    for (const id of turn?.ids ?? []) rememberOne(earlierIds, id, MAX_IDS)
    if (turn !== undefined) endIfClosed(turn, out)
  }

  function take(kind: Turn['last'], id: string, role: Role, raw: Base, out: Out): Turn {
    const turn = current
    if (turn !== undefined && continuesTurn(turn, id, role)) {
      if (turn.ids.size < MAX_IDS) turn.ids.add(id)
      turn.last = kind
      return turn
    }
    endCurrent(out)
    const { agentId: _agentId, ...scope } = scopeOf(raw)
    out.push({ ...scope, type: 'message-start', messageId: id, role })
    current = { messageId: id, role, ids: new Set([id]), last: kind, openBlocks: 0 }
    return current
  }

  return {
    take,
    takeCall(parentId, callId, raw, out) {
      const isEarlier = parentId === undefined || earlierIds.has(parentId)
      const id = isEarlier && current?.role === 'assistant' ? current.messageId : (parentId ?? callId)
      return take('tool', id, 'assistant', raw, out)
    },
    closeBlock(turn, out) {
      turn.openBlocks--
      if (turn !== current) endIfClosed(turn, out)
      // Only the agent adds to its messages.
      else if (turn.role !== 'assistant') endCurrent(out)
    },
    endRun() {
      if (current !== undefined) current.last = 'text'
    },
  }
}

/** Content after a thought belongs to the turn of the thought; otherwise a new id begins a new turn. */
function continuesTurn(turn: Turn, id: string, role: Role): boolean {
  if (turn.role !== 'assistant' || role !== 'assistant') return false
  return turn.ids.has(id) || turn.last === 'reasoning'
}
