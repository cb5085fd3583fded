import { rememberOne } from '../../data/remember.ts'
import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { scopeOf } from './fields.ts'
import type { Base } from './raw.ts'

/** A message of the run. The protocol has one per text and per thought; a turn joins thought, text and calls again. */
export interface Turn {
  readonly messageId: string
  readonly role: Role
  /** The protocol's ids that stand for it. */
  readonly ids: Set<string>
  last: 'reasoning' | 'text' | 'tool'
  openBlocks: number
}

export interface TurnTracker {
  /** The turn that a piece belongs to. What opens it is put into `events`. */
  take(kind: Turn['last'], id: string, role: Role, raw: Base, events: StreamEvent[]): Turn
  /** The turn that a call belongs to, which may name a message that has begun before or is yet unheard of. */
  takeCall(parentId: string | undefined, callId: string, raw: Base, events: StreamEvent[]): Turn
  /** A block of the turn has ended; a message that is over ends with its last one. */
  closeBlock(turn: Turn, events: StreamEvent[]): void
  /** Ends a turn that nothing more belongs to. */
  end(turn: Turn, events: StreamEvent[]): void
}

/** How many ids are remembered, of a turn and of those before it. */
const MAX_IDS = 64

export function createTurnTracker(): TurnTracker {
  const earlierIds = new Set<string>()
  let current: Turn | undefined

  function endCurrent(events: StreamEvent[]): void {
    const turn = current
    current = undefined
    for (const id of turn?.ids ?? []) rememberOne(earlierIds, id, MAX_IDS)
    if (turn !== undefined && turn.openBlocks === 0) events.push({ type: 'message-end', messageId: turn.messageId })
  }

  function begin(kind: Turn['last'], id: string, role: Role, raw: Base, events: StreamEvent[]): Turn {
    endCurrent(events)
    const { agentId: _agentId, ...scope } = scopeOf(raw)
    events.push({ ...scope, type: 'message-start', messageId: id, role })
    current = { messageId: id, role, ids: new Set([id]), last: kind, openBlocks: 0 }
    return current
  }

  function take(kind: Turn['last'], id: string, role: Role, raw: Base, events: StreamEvent[]): Turn {
    const turn = current
    if (turn === undefined || !continuesTurn(turn, id, role)) return begin(kind, id, role, raw, events)
    if (turn.ids.size < MAX_IDS) turn.ids.add(id)
    turn.last = kind
    return turn
  }

  return {
    take,
    takeCall(parentId, callId, raw, events) {
      const isEarlier = parentId === undefined || earlierIds.has(parentId)
      const id = isEarlier && current?.role === 'assistant' ? current.messageId : (parentId ?? callId)
      return take('tool', id, 'assistant', raw, events)
    },
    closeBlock(turn, events) {
      turn.openBlocks--
      if (turn !== current && turn.openBlocks === 0) events.push({ type: 'message-end', messageId: turn.messageId })
    },
    end(turn, events) {
      if (turn === current) endCurrent(events)
    },
  }
}

/** What follows a thought belongs to it; otherwise a new id begins a new turn. */
function continuesTurn(turn: Turn, id: string, role: Role): boolean {
  if (turn.role !== 'assistant' || role !== 'assistant') return false
  return turn.ids.has(id) || turn.last === 'reasoning'
}
